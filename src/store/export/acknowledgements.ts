// Lines at a destination as the mark call sees them, and what it does to them: a statement each, however many ids.
import { sql } from 'kysely'
import { eachIfAny, updateEach, rowsOf, statement, type RowColumns } from '../statement.ts'
import type { Transaction } from '../store.ts'
import type { DestinationTable, OfferTable } from '../tables/exports.ts'

type Null<T> = { readonly [K in keyof T]: T[K] | null }

/** Where a line stands; all but `id` and `isKnown` null for an id that was never offered here. */
export interface Standing extends Null<
  Pick<
    OfferTable,
    | 'state'
    | 'materialId'
    | 'revision'
    | 'generation'
    | 'readyAt'
    | 'markedAt'
    | 'markedBy'
    | 'externalId'
    | 'batchId'
  >
> {
  readonly id: number
  /** Whether there is a transaction of this id, or was a line of it. */
  readonly isKnown: number
  /**
   * The latest revision that an answer with less than all that waited has held, or that was withdrawn after an answer.
   * Not looked up, and null, for a line that was ready when all that waited was served.
   */
  readonly servedRevision: number | null
}

/** By id. */
export async function standingsOf(
  transaction: Transaction,
  { id: destinationId, servedAt }: Pick<DestinationTable, 'id' | 'servedAt'>,
  ids: readonly number[],
): Promise<Map<number, Standing>> {
  const rows = await transaction.all(standingStatement, {
    companyId: transaction.companyId,
    destinationId,
    servedAt,
    ids: JSON.stringify(ids.map((id) => ({ id }))),
  })
  return new Map(rows.map((row) => [row.id, row]))
}

/** A line that becomes exported, as which revision, and its stamp. */
export interface Marked {
  readonly id: number
  /** The transaction that is exported with it, if there is one. */
  readonly materialId: number | null
  readonly revision: number
  readonly at: number
  readonly externalId: string | null
}

/** Takes lines from the list, and puts their transactions into the state that the first mark of them leads to. */
export async function markLines(
  transaction: Transaction,
  destinationId: number,
  marked: readonly Marked[],
  { actor, from, to }: { readonly actor: string; readonly from: string; readonly to: string },
): Promise<void> {
  if (marked.length === 0) return
  const values = { companyId: transaction.companyId, rows: JSON.stringify(marked) }
  await transaction.run(markStatement, { ...values, destinationId, actor })
  await transaction.run(exportStatement, { ...values, from, to })
}

/** Takes lines from the list that nobody has delivered. */
export async function closeLines(
  transaction: Transaction,
  destinationId: number,
  closed: readonly Omit<Marked, 'externalId'>[],
  { actor, from, to }: { readonly actor: string; readonly from: string; readonly to: string },
): Promise<void> {
  if (closed.length === 0) return
  const rows = JSON.stringify(closed.map((line) => ({ ...line, externalId: null })))
  const values = { companyId: transaction.companyId, rows }
  await transaction.run(closeStatement, { ...values, destinationId, actor })
  await transaction.run(exportStatement, { ...values, from, to })
}

/** Counts a reported failure; the line stays on the list, parked where it has failed too often. `at` in microseconds. */
export async function countFailures(
  transaction: Transaction,
  { id: destinationId, failuresMax }: Pick<DestinationTable, 'id' | 'failuresMax'>,
  ids: readonly number[],
  at: number,
): Promise<void> {
  if (ids.length === 0) return
  const { companyId } = transaction
  const rows = JSON.stringify(ids.map((id) => ({ id })))
  await transaction.run(failureStatement, { companyId, rows, destinationId, failuresMax, at })
}

const standingStatement = statement<Standing>((build) => {
  const { value } = build
  return sql`
    select r.id, offer.state, offer."materialId", offer.revision, offer.generation, offer."readyAt", offer."markedAt", offer."markedBy",
      offer."externalId", offer."batchId",
      case when offer.state is not null then 1
        when exists (select 1 from material where material."companyId" = ${value('companyId')}
          and material.id = r.id) then 1 else 0 end as "isKnown",
      case when offer.state = 'ready' and offer."readyAt" <= ${value('servedAt')} then null
        else (select max(served.revision) from "servedLine" as served where served."companyId" = ${value('companyId')}
          and served."destinationId" = ${value('destinationId')} and served."lineId" = r.id) end as "servedRevision"
    from ${rowsOf(build, 'ids', { id: 'integer' })}
    ${eachIfAny(
      build,
      'offer',
      sql`offer."companyId" = ${value('companyId')}
      and offer."destinationId" = ${value('destinationId')} and offer."lineId" = r.id`,
    )}`
})

const markedColumns = {
  id: 'integer',
  materialId: 'integer',
  revision: 'integer',
  at: 'integer',
  externalId: 'text',
} as const satisfies RowColumns

const markStatement = statement((build) => {
  const { value } = build
  return updateEach(build, {
    table: 'offer',
    set: sql`state = 'exported', revision = r.revision, "markedAt" = r.at, "markedBy" = ${value('actor')},
      "externalId" = r."externalId"`,
    columns: markedColumns,
    where: sql`offer."companyId" = r."companyId" and offer."destinationId" = ${value('destinationId')}
      and offer."lineId" = r.id and offer.state in ('ready', 'withdrawn')`,
  })
})

const closeStatement = statement((build) => {
  const { value } = build
  return updateEach(build, {
    table: 'offer',
    set: sql`state = 'closed', "markedAt" = r.at, "markedBy" = ${value('actor')}`,
    columns: markedColumns,
    where: sql`offer."companyId" = r."companyId" and offer."destinationId" = ${value('destinationId')}
      and offer."lineId" = r.id and offer.state = 'ready'`,
  })
})

const exportStatement = statement((build) => {
  const { value } = build
  return updateEach(build, {
    table: 'material',
    set: sql`state = ${value('to')}, "exportedAt" = r.at, "changedAt" = r.at`,
    columns: markedColumns,
    where: sql`material."companyId" = r."companyId" and material.id = r."materialId" and material.state = ${value('from')}`,
  })
})

const failureStatement = statement((build) => {
  const { value, dialect } = build
  const at = dialect === 'sqlite' ? value('at') : sql`cast(${value('at')} as bigint)`
  return updateEach(build, {
    table: 'offer',
    set: sql`failures = failures + 1,
      "parkedAt" = case when failures + 1 >= ${value('failuresMax')} then coalesce("parkedAt", ${at}) else "parkedAt" end`,
    columns: { id: 'integer' },
    where: sql`offer."companyId" = r."companyId" and offer."destinationId" = ${value('destinationId')}
      and offer."lineId" = r.id and offer.state = 'ready'`,
  })
})
