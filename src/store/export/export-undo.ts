// Lines that come back to the list, and what a person should know before that happens.
import { sql } from 'kysely'
import { eachOf, updateEach, rowsOf, statement } from '../statement.ts'
import type { Transaction } from '../store.ts'
import type { ExportLineTable, OfferTable } from '../tables/exports.ts'

/** A line that was offered, as the one who would undo it sees it. */
export interface Undoable
  extends
    Pick<
      OfferTable,
      | 'state'
      | 'revision'
      | 'generation'
      | 'materialId'
      | 'postingDate'
      | 'externalId'
      | 'failures'
      | 'batchId'
    >,
    Pick<ExportLineTable, 'quantity' | 'amount'> {
  readonly id: number
  /** Whether a later line of the same transaction puts this one right. */
  readonly isCorrected: number
}

/** By id; what was never offered there is not in the map. */
export async function undoables(
  transaction: Transaction,
  destinationId: number,
  ids: readonly number[],
): Promise<Map<number, Undoable>> {
  const rows = await transaction.all(undoableStatement, {
    companyId: transaction.companyId,
    destinationId,
    ids: JSON.stringify(ids.map((id) => ({ id }))),
  })
  return new Map(rows.map((row) => [row.id, row]))
}

export interface Undone {
  readonly id: number
  readonly materialId: number | null
  readonly at: number
}

/** Offers the lines anew, as another generation; a transaction that no destination has any more is approved again. */
export async function offerAgain(
  transaction: Transaction,
  destinationId: number,
  undone: readonly Undone[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  if (undone.length === 0) return
  const values = { companyId: transaction.companyId, rows: JSON.stringify(undone) }
  await transaction.run(offerStatement, { ...values, destinationId })
  await transaction.run(approveStatement, { ...values, from, to })
}

/** Forgets the failures of lines that wait, and that they were parked. */
export async function retryLines(
  transaction: Transaction,
  destinationId: number,
  lines: readonly { readonly id: number }[],
): Promise<void> {
  if (lines.length === 0) return
  const { companyId } = transaction
  const rows = JSON.stringify(lines.map(({ id }) => ({ id })))
  await transaction.run(retryStatement, { companyId, rows, destinationId })
}

export const undoableStatement = statement<Undoable>((build) => {
  const { value } = build
  return sql`
    select r.id, offer.state, offer.revision, offer.generation, offer."materialId", offer."postingDate",
      offer."externalId", offer.failures, offer."batchId", line.quantity, line.amount,
      case when exists (select 1 from "exportLine" as later
        cross join offer as beside
        where later."companyId" = line."companyId" and later."materialId" = line."materialId"
          and later."lineKind" <> 'Original' and later.id > line.id
          and beside."companyId" = later."companyId" and beside."destinationId" = offer."destinationId"
          and beside."lineId" = later.id and beside.state <> 'withdrawn') then 1 else 0 end as "isCorrected"
    from ${rowsOf(build, 'ids', { id: 'integer' })}
    ${eachOf(
      build,
      'offer',
      sql`offer."companyId" = ${value('companyId')}
      and offer."destinationId" = ${value('destinationId')} and offer."lineId" = r.id`,
    )}
    ${eachOf(
      build,
      'exportLine',
      sql`line."companyId" = ${value('companyId')} and line.id = offer."lineId"
      and line.revision = offer.revision`,
      'line',
    )}`
})

const undoneColumns = { id: 'integer', materialId: 'integer', at: 'integer' } as const

const offerStatement = statement((build) =>
  updateEach(build, {
    table: 'offer',
    set: sql`state = 'ready', generation = generation + 1, "readyAt" = r.at, "markedAt" = null,
      "markedBy" = null, "externalId" = null, "batchId" = null, failures = 0, "parkedAt" = null`,
    columns: undoneColumns,
    where: sql`offer."companyId" = r."companyId" and offer."destinationId" = ${build.value('destinationId')}
      and offer."lineId" = r.id and offer.state in ('exported', 'closed')`,
  }),
)

const retryStatement = statement((build) =>
  updateEach(build, {
    table: 'offer',
    set: sql`failures = 0, "parkedAt" = null`,
    columns: { id: 'integer' },
    where: sql`offer."companyId" = r."companyId" and offer."destinationId" = ${build.value('destinationId')}
      and offer."lineId" = r.id and offer.state = 'ready'`,
  }),
)

/** By destination, because a line alone leads into no index: all offers of the company would be walked for each. */
export const approveStatement = statement((build) =>
  updateEach(build, {
    table: 'material',
    set: sql`state = ${build.value('to')}, "exportedAt" = null, "changedAt" = r.at`,
    columns: undoneColumns,
    where: sql`material."companyId" = r."companyId" and material.id = r."materialId"
      and material.state = ${build.value('from')} and not exists (select 1 from destination cross join offer
        where destination."companyId" = r."companyId" and offer."companyId" = r."companyId"
          and offer."destinationId" = destination.id and offer."lineId" = r.id
          and offer.state in ('exported', 'closed'))`,
  }),
)
