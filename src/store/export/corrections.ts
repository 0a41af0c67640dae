// Corrections: the lines of a transaction at a destination, and the lines that correct them.
import { sql, type RawBuilder } from 'kysely'
import { defineInsert, insertRows } from '../bulk-insert.ts'
import { contentColumns } from '../material/materials.ts'
import { updateEach, rowsFromJson, statement, type Build } from '../statement.ts'
import type { Transaction } from '../store.ts'
import type { ExportLineTable, DestinationLineTable } from '../tables/exports.ts'

/** A line with its state at a destination. */
export interface LineAtDestination
  extends Omit<ExportLineTable, 'companyId'>, Pick<DestinationLineTable, 'state'> {
  /** Whether the receiver has or may have it: it is exported, or was retrieved. */
  readonly isDelivered: number
}

/** The lines, by id, of each transaction with an exported line there. */
export async function listLinesAtDestination(
  transaction: Transaction,
  { id: destinationId, servedAt }: { readonly id: number; readonly servedAt: number },
  materialIds: readonly number[],
): Promise<Map<number, LineAtDestination[]>> {
  const rows = await transaction.all(linesStatement, {
    companyId: transaction.companyId,
    destinationId,
    servedAt,
    ids: JSON.stringify(materialIds.map((id) => ({ id }))),
  })
  const lines = Map.groupBy(rows, ({ materialId }) => materialId)
  return new Map([...lines].filter(([, of]) => of.some(({ state }) => state === 'exported')))
}

export type NewExportLine = Omit<ExportLineTable, 'companyId'>
export type NewDestinationLine = Omit<DestinationLineTable, 'companyId'>

export async function insertCorrections(
  transaction: Transaction,
  lines: readonly NewExportLine[],
  destinationLines: readonly NewDestinationLine[],
): Promise<void> {
  await insertRows(transaction, exportLineInsert, lines)
  await insertRows(transaction, destinationLineInsert, destinationLines)
}

/** Withdraws corrections that were not retrieved. */
export async function withdrawCorrections(
  transaction: Transaction,
  destinationId: number,
  lineIds: readonly number[],
): Promise<void> {
  if (lineIds.length === 0) return
  await transaction.run(withdrawStatement, {
    companyId: transaction.companyId,
    destinationId,
    rows: JSON.stringify(lineIds.map((id) => ({ id }))),
  })
}

/** Sets transactions without ready lines back to the state `state`, which is exported. */
export async function restoreExportedState(
  transaction: Transaction,
  ids: readonly number[],
  state: string,
): Promise<void> {
  if (ids.length === 0) return
  const { companyId } = transaction
  const rows = JSON.stringify(ids.map((id) => ({ id })))
  await transaction.run(exportedStatement, { companyId, rows, state })
}

const lineColumns = {
  id: 'integer',
  revision: 'integer',
  materialId: 'integer',
  lineKind: 'text',
  reversesId: 'integer',
  replacesId: 'integer',
  exportKey: 'text',
  ...contentColumns,
  createdAt: 'integer',
} as const

const exportLineInsert = defineInsert('exportLine', lineColumns)

const destinationLineInsert = defineInsert('offer', {
  destinationId: 'integer',
  lineId: 'integer',
  materialId: 'integer',
  revision: 'integer',
  generation: 'integer',
  state: 'text',
  readyAt: 'integer',
  postingDate: 'text',
  approvedAt: 'integer',
  approvedBy: 'text',
  failures: 'integer',
  parkedAt: 'integer',
  batchId: 'integer',
  markedAt: 'integer',
  markedBy: 'text',
  externalId: 'text',
})

const selected = sql.join(Object.keys(lineColumns).map((name) => sql.ref(`line.${name}`)))

const linesStatement = statement<LineAtDestination>((build) => {
  const originals = sql`line.id = r.id and line."materialId" = r.id`
  const corrections = sql`line."materialId" = r.id and line."lineKind" <> 'Original'`
  return sql`${linesWhere(build, originals)} union all ${linesWhere(build, corrections)} order by 1`
})

function linesWhere(build: Build, which: RawBuilder<unknown>) {
  return sql`
  select ${selected}, offer.state, case when offer.state = 'exported' or (offer.state = 'ready' and (
      offer."readyAt" <= ${build.value('servedAt')} or exists (select 1 from "servedLine" as served
        where served."companyId" = offer."companyId" and served."destinationId" = offer."destinationId"
          and served."lineId" = offer."lineId" and served.revision = offer.revision))) then 1 else 0 end as "isDelivered"
  from ${rowsFromJson(build, 'ids', { id: 'integer' })}
  cross join "exportLine" as line
  cross join offer
  where line."companyId" = ${build.value('companyId')} and ${which}
    and offer."companyId" = ${build.value('companyId')} and offer."destinationId" = ${build.value('destinationId')}
    and offer."lineId" = line.id and offer.revision = line.revision and offer.state in ('ready', 'exported')`
}

const withdrawStatement = statement((build) =>
  updateEach(build, {
    table: 'offer',
    set: sql`state = 'withdrawn'`,
    columns: { id: 'integer' },
    where: sql`offer."companyId" = r."companyId" and offer."destinationId" = ${build.value('destinationId')}
      and offer."lineId" = r.id and offer.state = 'ready'`,
  }),
)

const exportedStatement = statement((build) =>
  updateEach(build, {
    table: 'material',
    set: sql`state = ${build.value('state')}`,
    columns: { id: 'integer' },
    where: sql`material."companyId" = r."companyId" and material.id = r.id`,
  }),
)
