// Decisions on many transactions at once, and what follows from them for the lines: a statement each, however many.
import { sql } from 'kysely'
import { states } from '../../model/transaction.ts'
import { contentColumns } from './materials.ts'
import type { Destination } from '../export/destinations.ts'
import { eachOf, updateEach, rowsOf, statement, type Build, type RowColumns } from '../statement.ts'
import type { Transaction } from '../store.ts'
import type { MaterialTable } from '../tables/materials.ts'

/** What a decision depends on; `decidedAt` and `decidedBy` are when and by whom it was put into its state. */
export type Decidable = Pick<
  MaterialTable,
  'id' | 'state' | 'registeredBy' | 'decidedAt' | 'decidedBy'
>

/** A transaction that is decided on, and its stamp. */
export interface Decided {
  readonly id: number
  readonly at: number
}

/** By id. */
export async function decidables(
  transaction: Transaction,
  ids: readonly number[],
): Promise<Map<number, Decidable>> {
  const rows = await transaction.all(decidableStatement, {
    companyId: transaction.companyId,
    ids: JSON.stringify(ids.map((id) => ({ id }))),
  })
  return new Map(rows.map((row) => [row.id, row]))
}

export interface Decision extends Pick<MaterialTable, 'state' | 'rejectionReason'> {
  readonly actor: string
  readonly isApproval: boolean
}

/** Puts transactions into a state. */
export async function decide(
  transaction: Transaction,
  decided: readonly Decided[],
  { state, rejectionReason, actor, isApproval }: Decision,
): Promise<void> {
  await transaction.run(decideStatement, {
    companyId: transaction.companyId,
    rows: JSON.stringify(decided),
    state,
    rejectionReason,
    actor,
    approver: isApproval ? actor : null,
    isApproval: Number(isApproval),
  })
}

/** Freezes what the transactions say, each as the line of its id; a revision that was frozen before stays as it was. */
export async function freezeLines(
  transaction: Transaction,
  decided: readonly Decided[],
): Promise<void> {
  await transaction.run(freezeStatement, {
    companyId: transaction.companyId,
    rows: JSON.stringify(decided),
  })
}

/** Offers the lines of approved transactions to a destination, booked on `firstOpenDay` at the earliest. */
export async function offerLines(
  transaction: Transaction,
  decided: readonly Decided[],
  destinationId: number,
  firstOpenDay: string,
): Promise<void> {
  await transaction.run(offerStatement, {
    companyId: transaction.companyId,
    rows: JSON.stringify(decided),
    destinationId,
    firstOpenDay,
  })
}

/**
 * Takes lines back from a destination, and keeps of each whether it was served by an answer with all that waited.
 * `servedOn` is the day of the last such answer.
 */
export async function withdrawLines(
  transaction: Transaction,
  decided: readonly Decided[],
  { id: destinationId, servedAt }: Destination,
  servedOn: string,
): Promise<void> {
  const values = { companyId: transaction.companyId, rows: JSON.stringify(decided), destinationId }
  await transaction.run(keepServedStatement, { ...values, servedAt, servedOn })
  await transaction.run(withdrawStatement, values)
}

const decidedColumns = { id: 'integer', at: 'integer' } as const satisfies RowColumns

function itsMaterial(build: Build) {
  return eachOf(
    build,
    'material',
    sql`material."companyId" = ${build.value('companyId')} and material.id = r.id`,
  )
}

/** What is exported was put there by whoever marked it, at the moment of the mark; otherwise the last decision tells. */
const decidableStatement = statement<Decidable>((build) => {
  const isExported = sql`material.state = ${sql.lit(states.exported)}`
  return sql`
    select material.id, material.state, material."registeredBy",
      case when ${isExported} then material."exportedAt" else material."decidedAt" end as "decidedAt",
      case when ${isExported} then (select min(offer."markedBy") from destination cross join offer
          where destination."companyId" = material."companyId" and offer."companyId" = material."companyId"
            and offer."destinationId" = destination.id and offer."lineId" = material.id
            and offer."markedAt" = material."exportedAt")
        else material."decidedBy" end as "decidedBy"
    from ${rowsOf(build, 'ids', { id: 'integer' })} ${itsMaterial(build)}`
})

const decideStatement = statement((build) => {
  const { value, dialect } = build
  const isApproval =
    dialect === 'sqlite' ? value('isApproval') : sql`cast(${value('isApproval')} as bigint)`
  return updateEach(build, {
    table: 'material',
    set: sql`state = ${value('state')}, "rejectionReason" = ${value('rejectionReason')},
      "approvedAt" = case when ${isApproval} = 1 then r.at end, "approvedBy" = ${value('approver')},
      "decidedAt" = r.at, "decidedBy" = ${value('actor')}, "changedAt" = r.at`,
    columns: decidedColumns,
    where: sql`material."companyId" = r."companyId" and material.id = r.id`,
  })
})

function contentList(table: string) {
  return sql.join(Object.keys(contentColumns).map((name) => sql.ref(`${table}.${name}`)))
}

const contentNames = sql.join(Object.keys(contentColumns).map((name) => sql.id(name)))

const freezeStatement = statement(
  (build) => sql`
    insert into "exportLine" ("companyId", id, revision, "materialId", "lineKind", "exportKey", ${contentNames}, "createdAt")
    select material."companyId", material.id, material.revision, material.id, 'Original',
      'T' || material.id || '.r' || material.revision, ${contentList('material')}, material."createdAt"
    from ${rowsOf(build, 'rows', decidedColumns)} ${itsMaterial(build)} where true
    on conflict ("companyId", id, revision) do nothing`,
)

const offerStatement = statement((build) => {
  const { value, dialect } = build
  const openDay =
    dialect === 'sqlite' ? value('firstOpenDay') : sql`cast(${value('firstOpenDay')} as text)`
  return sql`
    insert into offer ("companyId", "destinationId", "lineId", "materialId", revision, generation, state, "readyAt",
      "postingDate", "approvedAt", "approvedBy", failures)
    select material."companyId", cast(${value('destinationId')} as bigint), material.id, material.id, material.revision, 1,
      'ready', r.at, case when material.date < ${openDay} then ${openDay} else material.date end,
      material."approvedAt", material."approvedBy", 0
    from ${rowsOf(build, 'rows', decidedColumns)} ${itsMaterial(build)} where true
    on conflict ("companyId", "destinationId", "lineId") do update set revision = excluded.revision,
      state = excluded.state, "readyAt" = excluded."readyAt", "postingDate" = excluded."postingDate",
      "approvedAt" = excluded."approvedAt", "approvedBy" = excluded."approvedBy", failures = 0, "parkedAt" = null,
      "batchId" = null
    where offer.state = 'withdrawn'`
})

const keepServedStatement = statement(
  (build) => sql`
    insert into "servedLine" ("companyId", "destinationId", "lineId", revision, "firstHandOutId", "lastServedOn")
    select offer."companyId", offer."destinationId", offer."lineId", offer.revision,
      (select min("handOut".id) from "handOut" where "handOut"."companyId" = offer."companyId"
        and "handOut"."destinationId" = offer."destinationId" and "handOut".query is null
        and "handOut".at >= offer."readyAt"), ${build.value('servedOn')}
    from ${rowsOf(build, 'rows', decidedColumns)} ${eachOf(
      build,
      'offer',
      sql`
      offer."companyId" = ${build.value('companyId')} and offer."destinationId" = ${build.value('destinationId')}
      and offer."lineId" = r.id and offer.state = 'ready' and offer."readyAt" <= ${build.value('servedAt')}`,
    )} where true
    on conflict ("companyId", "destinationId", "lineId", revision) do update
      set "lastServedOn" = excluded."lastServedOn"`,
)

const withdrawStatement = statement((build) =>
  updateEach(build, {
    table: 'offer',
    set: sql`state = 'withdrawn', "batchId" = null`,
    columns: decidedColumns,
    where: sql`offer."companyId" = r."companyId" and offer."destinationId" = ${build.value('destinationId')}
      and offer."lineId" = r.id and offer.state = 'ready'`,
  }),
)
