// Claims: leases of lines, so that two workers of a receiver never import the same line.
import { sql } from 'kysely'
import { defineInsert, insertRows } from '../bulk-insert.ts'
import { joinEach, rowsFromJson, statement, updateEach, type Build } from '../statement.ts'
import type { Awaitable, Transaction } from '../store.ts'
import type { ClaimTable, DestinationLineTable } from '../tables/exports.ts'

export type StoredClaim = Omit<ClaimTable, 'companyId'>

export function findClaim(
  transaction: Transaction,
  destinationId: number,
  id: number,
): Awaitable<StoredClaim | undefined> {
  return transaction.first(claimStatement, { companyId: transaction.companyId, destinationId, id })
}

/** The claims that hold lines now. */
export function listOpenClaims(
  transaction: Transaction,
  destinationId: number,
): Awaitable<StoredClaim[]> {
  return transaction.all(openStatement, { companyId: transaction.companyId, destinationId })
}

/** Expires claims that were not extended in time: frees their lines and invalidates their fencing token. */
export async function expireClaims(transaction: Transaction, now: number): Promise<void> {
  const values = { companyId: transaction.companyId, now }
  if ((await transaction.first(overdueStatement, values)) === undefined) return
  await transaction.run(invalidateOverdueStatement, values)
  await transaction.run(expireStatement, values)
}

/** The next fencing token of a destination. */
export async function nextFencingToken(
  transaction: Transaction,
  destinationId: number,
): Promise<number> {
  const values = { companyId: transaction.companyId, destinationId }
  const row = await transaction.first(fencingTokenStatement, values)
  if (row === undefined) throw new Error(`there is no destination ${destinationId}`)
  return row.fence
}

/** Inserts a claim of lines that are ready and free. */
export async function insertClaim(
  transaction: Transaction,
  claim: StoredClaim,
  lineIds: readonly number[],
): Promise<void> {
  const { companyId } = transaction
  await insertRows(transaction, claimInsert, [claim])
  const rows = JSON.stringify(lineIds.map((id) => ({ id })))
  const values = { companyId, rows, batchId: claim.id, destinationId: claim.destinationId }
  await transaction.run(claimLinesStatement, values)
  await transaction.run(assignLinesStatement, values)
}

export async function updateClaim(
  transaction: Transaction,
  { id, state, expiresAt }: Pick<StoredClaim, 'id' | 'state' | 'expiresAt'>,
): Promise<void> {
  const { companyId } = transaction
  await transaction.run(updateStatement, { companyId, id, state, expiresAt })
}

/** A line of a claim. */
export type ClaimLine = Pick<DestinationLineTable, 'lineId' | 'revision' | 'generation'>

/** The first lines of a claim that have not been reported yet. */
export function listUnreportedLines(
  transaction: Transaction,
  { id: batchId, destinationId }: StoredClaim,
  limit: number,
): Awaitable<ClaimLine[]> {
  return transaction.all(unreportedStatement, {
    companyId: transaction.companyId,
    batchId,
    destinationId,
    limit,
  })
}

/** The exported lines that were last part of this claim, ascending. */
export async function listExportedLines(
  transaction: Transaction,
  { id: batchId, destinationId }: StoredClaim,
): Promise<number[]> {
  const limit = Number.MAX_SAFE_INTEGER
  const values = { companyId: transaction.companyId, batchId, destinationId, limit }
  return (await transaction.all(exportedStatement, values)).map(({ lineId }) => lineId)
}

/** A line in an open claim, with its holder. */
export interface ClaimedLine extends Pick<StoredClaim, 'holder' | 'expiresAt' | 'destinationId'> {
  readonly lineId: number
}

/** Which of these lines are in an open claim, at any destination. */
export function findClaimedLines(
  transaction: Transaction,
  ids: readonly number[],
): Awaitable<ClaimedLine[]> {
  return transaction.all(claimedStatement, {
    companyId: transaction.companyId,
    ids: JSON.stringify(ids.map((id) => ({ id }))),
  })
}

/** The same by transaction: its original line and its corrections. */
export function findClaimedLinesOfMaterials(
  transaction: Transaction,
  materialIds: readonly number[],
): Awaitable<(ClaimedLine & { readonly materialId: number })[]> {
  return transaction.all(claimedOfMaterialsStatement, {
    companyId: transaction.companyId,
    ids: JSON.stringify(materialIds.map((id) => ({ id }))),
  })
}

const columns = [
  'id',
  'destinationId',
  'fence',
  'holder',
  'state',
  'expiresAt',
  'createdAt',
  'requestId',
  'handOutId',
] as const

const claimStatement = statement<StoredClaim>(({ db, value }) =>
  db
    .selectFrom('batch')
    .select(columns)
    .where('companyId', '=', value('companyId'))
    .where('destinationId', '=', value('destinationId'))
    .where('id', '=', value('id')),
)

const openStatement = statement<StoredClaim>(({ db, value }) =>
  db
    .selectFrom('batch')
    .select(columns)
    .where('companyId', '=', value('companyId'))
    .where('destinationId', '=', value('destinationId'))
    .where('state', '=', sql.lit('open'))
    .orderBy('id'),
)

const overdue = sql.raw(`batch.state = 'open' and batch."expiresAt" <=`)

const overdueStatement = statement<{ id: number }>(
  ({ value }) => sql`
    select id from batch where "companyId" = ${value('companyId')} and ${overdue} ${value('now')} limit 1`,
)

const invalidateOverdueStatement = statement(
  ({ value }) => sql`
    update destination set fence = fence + 1 where "companyId" = ${value('companyId')}
      and exists (select 1 from batch where batch."companyId" = destination."companyId"
        and batch."destinationId" = destination.id and ${overdue} ${value('now')})`,
)

const expireStatement = statement(
  ({ value }) => sql`
    update batch set state = 'expired' where "companyId" = ${value('companyId')} and ${overdue} ${value('now')}`,
)

const fencingTokenStatement = statement<{ fence: number }>(
  ({ value }) => sql`
    update destination set fence = fence + 1 where "companyId" = ${value('companyId')}
      and id = ${value('destinationId')} returning fence`,
)

const claimInsert = defineInsert('batch', {
  id: 'integer',
  destinationId: 'integer',
  fence: 'integer',
  holder: 'text',
  state: 'text',
  expiresAt: 'integer',
  createdAt: 'integer',
  requestId: 'text',
  handOutId: 'integer',
})

const claimLinesStatement = statement(
  (build) => sql`
    insert into "batchLine" ("companyId", "batchId", "lineId", revision)
    select offer."companyId", cast(${build.value('batchId')} as bigint), offer."lineId", offer.revision
    from ${rowsFromJson(build, 'rows', { id: 'integer' })} ${joinEach(
      build,
      'offer',
      sql`
      offer."companyId" = ${build.value('companyId')} and offer."destinationId" = ${build.value('destinationId')}
      and offer."lineId" = r.id`,
    )}`,
)

const assignLinesStatement = statement((build) =>
  updateEach(build, {
    table: 'offer',
    set: sql`"batchId" = ${build.value('batchId')}`,
    columns: { id: 'integer' },
    where: sql`offer."companyId" = r."companyId" and offer."destinationId" = ${build.value('destinationId')}
      and offer."lineId" = r.id and offer.state = 'ready'`,
  }),
)

const updateStatement = statement(({ db, value, values }) =>
  db
    .updateTable('batch')
    .set(values('state', 'expiresAt'))
    .where('companyId', '=', value('companyId'))
    .where('id', '=', value('id')),
)

function linesIn(state: DestinationLineTable['state']) {
  return statement<ClaimLine>(
    ({ value }) => sql`
    select offer."lineId", offer.revision, offer.generation from "batchLine" as line
    cross join offer
    where line."companyId" = ${value('companyId')} and line."batchId" = ${value('batchId')}
      and offer."companyId" = line."companyId" and offer."destinationId" = ${value('destinationId')}
      and offer."lineId" = line."lineId" and offer.state = ${sql.lit(state)}
      and offer."batchId" = line."batchId" order by line."lineId" limit ${value('limit')}`,
  )
}

const unreportedStatement = linesIn('ready')
const exportedStatement = linesIn('exported')

function inOpenClaim({ value }: Build) {
  return sql`
  batch."companyId" = ${value('companyId')} and batch.id = offer."batchId" and batch.state = 'open'
    and offer."companyId" = ${value('companyId')} and offer."destinationId" = destination.id
    and offer.state = 'ready' and destination."companyId" = ${value('companyId')}`
}

const claimedStatement = statement<ClaimedLine>(
  (build) => sql`
    select offer."lineId", offer."destinationId", batch.holder, batch."expiresAt"
    from ${rowsFromJson(build, 'ids', { id: 'integer' })}
    cross join destination
    cross join offer
    cross join batch
    where ${inOpenClaim(build)} and offer."lineId" = r.id`,
)

const claimedOfMaterialsStatement = statement<ClaimedLine & { materialId: number }>((build) => {
  const selected = sql`r.id as "materialId", offer."lineId", offer."destinationId", batch.holder, batch."expiresAt"`
  return sql`
    select ${selected} from ${rowsFromJson(build, 'ids', { id: 'integer' })}
    cross join destination
    cross join offer
    cross join batch
    where ${inOpenClaim(build)} and offer."lineId" = r.id
    union all
    select ${selected} from ${rowsFromJson(build, 'ids', { id: 'integer' })}
    cross join "exportLine" as line
    cross join destination
    cross join offer
    cross join batch
    where ${inOpenClaim(build)} and line."companyId" = ${build.value('companyId')} and line."materialId" = r.id
      and line."lineKind" <> 'Original' and offer."lineId" = line.id and offer.revision = line.revision`
})
