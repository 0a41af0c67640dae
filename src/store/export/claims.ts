// Claims: leases of lines, so that two workers of a receiver never import the same line.
import { sql } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { lineOfListedId, updateDestinationLines } from './destination-line-sql.ts'
import { selectWhere, updateWhere } from '../row-statements.ts'
import {
  companyCommand,
  companyRowQuery,
  companyRowsQuery,
  idsQuery,
  command,
  existsQuery,
  idsCommand,
  type NoValues,
} from '../queries.ts'
import { joinEach, type Build } from '../statement.ts'
import type { Store, Transaction } from '../store.ts'
import { tables } from '../tables.ts'
import { columnNames } from '../tables/define-table.ts'
import type { ClaimTable, DestinationLineTable } from '../tables/exports.ts'
import { bulkInsert } from '../bulk-insert.ts'

export type StoredClaim = Omit<ClaimTable, 'companyId'>

export const findClaim = companyRowQuery<{ destinationId: number; id: number }, StoredClaim>(
  selectWhere('claim', ['companyId', 'destinationId', 'id'], { columns: columnNames(tables.claim) }),
)

/** The claims that hold lines now. */
export const listOpenClaims = companyRowsQuery<{ destinationId: number }, StoredClaim>(
  ({ value }) => sql`
    select ${sql.join(columnNames(tables.claim).map((name) => sql.id(name)))} from claim
    where "companyId" = ${value('companyId')} and "destinationId" = ${value('destinationId')} and state = 'open'
    order by id`,
)

/** Whether another caller has an open claim at the destination, perhaps one that has expired. */
export const hasClaimOfOthers = existsQuery<{ companyId: CompanyId; destinationId: number; actor: string }>(
  ({ value }) => sql`
    select id from claim where "companyId" = ${value('companyId')} and "destinationId" = ${value('destinationId')}
      and state = 'open' and holder <> ${value('actor')} limit 1`,
)

/** Expires claims that were not extended in time: frees their lines and invalidates their fencing token. */
export async function expireClaims(transaction: Transaction, now: number): Promise<void> {
  const values = { companyId: transaction.companyId, now }
  if (!(await hasExpiredClaim(transaction, values))) return
  await invalidateExpired(transaction, values)
  await expire(transaction, values)
}

/** The same in a transaction of its own, so that the read that follows finds their lines free. */
export async function expireClaimsBeforeRead(store: Store, companyId: CompanyId, now: number): Promise<void> {
  if (await hasExpiredClaim(store, { companyId, now }))
    await store.inTransaction(companyId, (transaction) => expireClaims(transaction, now))
}

export async function nextFencingToken(transaction: Transaction, destinationId: number): Promise<number> {
  const row = await incrementFencingToken(transaction, { destinationId })
  if (row === undefined) throw new Error(`there is no destination ${destinationId}`)
  return row.fencingToken
}

/** Inserts a claim of lines that are ready and free. */
export async function insertClaim(
  transaction: Transaction,
  claim: StoredClaim,
  lineIds: readonly number[],
): Promise<void> {
  await insertClaimRow(transaction, [claim])
  const values = { claimId: claim.id, destinationId: claim.destinationId }
  await insertClaimLines(transaction, lineIds, values)
  await assignLines(transaction, lineIds, values)
}

export const updateClaim = companyCommand(updateWhere('claim', ['companyId', 'id'], ['state', 'expiresAt']))

export type ClaimLine = Pick<DestinationLineTable, 'lineId' | 'revision' | 'generation'>

/** The first lines of a claim that have not been reported yet, ascending. */
export const listUnreportedLines = companyRowsQuery<LimitedClaim, ClaimLine>(linesIn('ready'))

/** The first exported lines that were last part of this claim, ascending. */
export const listExportedLines = companyRowsQuery<LimitedClaim, ClaimLine>(linesIn('exported'))

type LimitedClaim = Readonly<{ id: number; destinationId: number; limit: number }>

/** A line in an open claim, with its holder. */
export interface ClaimedLine extends Pick<StoredClaim, 'holder' | 'expiresAt' | 'destinationId'> {
  readonly lineId: number
}

const expired = sql.raw(`claim.state = 'open' and claim."expiresAt" <=`)

type CompanyTime = Readonly<{ companyId: CompanyId; now: number }>

const hasExpiredClaim = existsQuery<CompanyTime>(
  ({ value }) => sql`
    select id from claim where "companyId" = ${value('companyId')} and ${expired} ${value('now')} limit 1`,
)

const invalidateExpired = command<CompanyTime>(
  ({ value }) => sql`
    update destination set "fencingToken" = "fencingToken" + 1 where "companyId" = ${value('companyId')}
      and exists (select 1 from claim where claim."companyId" = destination."companyId"
        and claim."destinationId" = destination.id and ${expired} ${value('now')})`,
)

const expire = command<CompanyTime>(
  ({ value }) => sql`
    update claim set state = 'expired' where "companyId" = ${value('companyId')} and ${expired} ${value('now')}`,
)

const incrementFencingToken = companyRowQuery<{ destinationId: number }, { fencingToken: number }>(
  ({ value }) => sql`
    update destination set "fencingToken" = "fencingToken" + 1 where "companyId" = ${value('companyId')}
      and id = ${value('destinationId')} returning "fencingToken"`,
)

const insertClaimRow = bulkInsert(tables.claim)

type ClaimOfDestination = Readonly<{ claimId: number; destinationId: number }>

const insertClaimLines = idsCommand<ClaimOfDestination>(
  (build, ids) => sql`
    insert into "claimLine" ("companyId", "claimId", "lineId", revision)
    select "destinationLine"."companyId", cast(${build.value('claimId')} as bigint), "destinationLine"."lineId", "destinationLine".revision
    from ${ids} ${joinEach(build, 'destinationLine', lineOfListedId(build))}`,
)

const assignLines = idsCommand<ClaimOfDestination>((build) =>
  updateDestinationLines(build, { set: sql`"claimId" = ${build.value('claimId')}`, states: ['ready'] }),
)

function linesIn(state: DestinationLineTable['state']) {
  return ({ value }: Build) => sql`
    select "destinationLine"."lineId", "destinationLine".revision, "destinationLine".generation from "claimLine" as line
    cross join "destinationLine"
    where line."companyId" = ${value('companyId')} and line."claimId" = ${value('id')}
      and "destinationLine"."companyId" = line."companyId" and "destinationLine"."destinationId" = ${value('destinationId')}
      and "destinationLine"."lineId" = line."lineId" and "destinationLine".state = ${sql.lit(state)}
      and "destinationLine"."claimId" = line."claimId" order by line."lineId" limit ${value('limit')}`
}

function inOpenClaim({ value }: Build) {
  return sql`
  claim."companyId" = ${value('companyId')} and claim.id = "destinationLine"."claimId" and claim.state = 'open'
    and "destinationLine"."companyId" = ${value('companyId')} and "destinationLine"."destinationId" = destination.id
    and "destinationLine".state = 'ready' and destination."companyId" = ${value('companyId')}`
}

/** Which lines of these transactions are in an open claim, at any destination: originals and corrections. */
export const findClaimedLinesOfMaterials = idsQuery<NoValues, ClaimedLine & { readonly materialId: number }>(
  (build, ids) => {
    const selected = sql`r.id as "materialId", "destinationLine"."lineId", "destinationLine"."destinationId", claim.holder, claim."expiresAt"`
    return sql`
    select ${selected} from ${ids}
    cross join destination
    cross join "destinationLine"
    cross join claim
    where ${inOpenClaim(build)} and "destinationLine"."lineId" = r.id
    union all
    select ${selected} from ${ids}
    cross join "exportLine" as line
    cross join destination
    cross join "destinationLine"
    cross join claim
    where ${inOpenClaim(build)} and line."companyId" = ${build.value('companyId')} and line."materialId" = r.id
      and line."lineKind" <> 'Original' and "destinationLine"."lineId" = line.id and "destinationLine".revision = line.revision`
  },
)
