// Corrections: the lines of a transaction at a destination, and the lines that correct them.
import { sql, type RawBuilder } from 'kysely'
import { transactionStates } from '../../model/transaction.ts'
import { idsCommand, idsQuery, listQuery, type NoValues } from '../queries.ts'
import { updateEach, type Build } from '../statement.ts'
import type { Transaction } from '../store.ts'
import { tables } from '../tables.ts'
import { columnNames } from '../tables/define-table.ts'
import type { ExportLineTable, DestinationLineTable } from '../tables/exports.ts'
import { bulkInsert } from '../bulk-insert.ts'

export interface LineAtDestination extends Omit<ExportLineTable, 'companyId'>, Pick<DestinationLineTable, 'state'> {
  /** Whether the receiver has or may have it: it is exported, closed because a person booked it, or was retrieved. */
  readonly isDelivered: number
}

/** The lines, by id, of each transaction with an exported line there. */
export async function listLinesAtDestination(
  transaction: Transaction,
  { id: destinationId, retrievedThrough }: { readonly id: number; readonly retrievedThrough: number },
  materialIds: readonly number[],
): Promise<Map<number, LineAtDestination[]>> {
  const rows = await listLines(transaction, materialIds, { destinationId, retrievedThrough })
  const lines = Map.groupBy(rows, ({ materialId }) => materialId)
  return new Map([...lines].filter(([, of]) => of.some(({ state }) => state === 'exported')))
}

/** Approved content, line by line and revision by revision. */
export interface FrozenLine
  extends Omit<ExportLineTable, 'companyId'>, Pick<DestinationLineTable, 'approvedAt' | 'approvedBy'> {
  /** The last known revision of its transaction. */
  readonly lastRevision: number
}

export type NewExportLine = Omit<ExportLineTable, 'companyId'>
export type NewDestinationLine = Omit<DestinationLineTable, 'companyId'>

export const insertCorrections = bulkInsert(tables.exportLine)

export const insertCorrectionsAtDestinations = bulkInsert(tables.destinationLine)

const selected = sql.join(columnNames(tables.exportLine).map((name) => sql.ref(`line.${name}`)))

const listLines = idsQuery<{ destinationId: number; retrievedThrough: number }, LineAtDestination>((build, ids) => {
  const originals = sql`line.id = r.id and line."materialId" = r.id`
  const corrections = sql`line."materialId" = r.id and line."lineKind" <> 'Original'`
  return sql`${linesWhere(build, ids, originals)} union all ${linesWhere(build, ids, corrections)} order by 1`
})

function linesWhere(build: Build, ids: RawBuilder<unknown>, which: RawBuilder<unknown>) {
  return sql`
  select ${selected}, "destinationLine".state, case when "destinationLine".state in ('exported', 'closed') or ("destinationLine".state = 'ready' and (
      "destinationLine"."readyAt" <= ${build.value('retrievedThrough')} or exists (select 1 from "retrievedLine" as retrieved
        where retrieved."companyId" = "destinationLine"."companyId" and retrieved."destinationId" = "destinationLine"."destinationId"
          and retrieved."lineId" = "destinationLine"."lineId" and retrieved.revision = "destinationLine".revision))) then 1 else 0 end as "isDelivered"
  from ${ids}
  cross join "exportLine" as line
  cross join "destinationLine"
  where line."companyId" = ${build.value('companyId')} and ${which}
    and "destinationLine"."companyId" = ${build.value('companyId')} and "destinationLine"."destinationId" = ${build.value('destinationId')}
    and "destinationLine"."lineId" = line.id and "destinationLine".revision = line.revision and "destinationLine".state in ('ready', 'exported', 'closed')`
}

/** Sets transactions without ready lines back to exported. */
export const restoreExportedState = idsCommand<NoValues>((build) =>
  updateEach(build, { table: 'material', set: sql`state = ${sql.lit(transactionStates.exported)}` }),
)

/** Lines by id and revision, with their last approval. */
export const listFrozenLines = listQuery<{ id: number; revision: number }, NoValues, FrozenLine>(
  { id: 'integer', revision: 'integer' },
  ({ value }, lines) => sql`
    select ${selected}, "destinationLine"."approvedAt", "destinationLine"."approvedBy",
      coalesce((select max(past.revision) from "materialRevision" as past
        where past."companyId" = line."companyId" and past."materialId" = line."materialId"), 1) as "lastRevision"
    from ${lines}
    cross join "exportLine" as line
    cross join "destinationLine"
    where line."companyId" = ${value('companyId')} and line.id = r.id and line.revision = r.revision
      and "destinationLine"."companyId" = ${value('companyId')} and "destinationLine"."lineId" = r.id
      and "destinationLine"."destinationId" = (select min(destination.id) from destination cross join "destinationLine" as one
        where destination."companyId" = ${value('companyId')} and one."companyId" = destination."companyId"
          and one."destinationId" = destination.id and one."lineId" = r.id)`,
)
