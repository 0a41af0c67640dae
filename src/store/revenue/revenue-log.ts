// Revenue log: entries are inserted with each change, and found by their reference.
import { sql } from 'kysely'
import { cellColumns, cellKey, joinsCell, type Cell } from './cells.ts'
import { bulkInsert, type NewRow } from '../bulk-insert.ts'
import type { Transaction } from '../store.ts'
import { tables } from '../tables.ts'
import type { RevenueLogTable, RevenueTable } from '../tables/revenue.ts'
import { listQuery, type NoValues } from '../queries.ts'

/** The log entry of one change. */
export type NewRevenueLogEntry = Pick<RevenueLogTable, 'action' | 'amount' | 'before' | 'after' | 'reference'>

/** Who made the changes of a write, and in which request. */
export type LogSource = Pick<RevenueLogTable, 'actor' | 'requestId'>

/** The row of an entry with its id, linked to the last entry of the record so far. */
export function toLogRow(
  { sequences }: Transaction,
  record: Omit<RevenueTable, 'companyId'>,
  entry: NewRevenueLogEntry,
  { actor, requestId }: LogSource,
): NewRow<typeof tables.revenueLog> {
  return {
    id: sequences.next('revenueLogId'),
    at: record.changedAt,
    revenueId: record.id,
    date: record.date,
    departmentId: record.departmentId,
    kind: record.kind,
    action: entry.action,
    amount: entry.amount,
    before: entry.before,
    after: entry.after,
    reference: entry.reference,
    actor,
    requestId,
    previousId: record.logId,
  }
}

export const insertLogRows = bulkInsert(tables.revenueLog)

export const insertDepartures = bulkInsert(tables.revenueDeparture)

/** The sender's reference for one addition to a cell. */
export interface RevenueReference extends Cell {
  readonly reference: string
}

export function referenceKey(used: RevenueReference): string {
  return `${cellKey(used)} ${used.reference}`
}

/** Which of these references are in the log already, with their amounts, by `referenceKey`. */
export async function findUsedReferences(
  transaction: Transaction,
  references: readonly RevenueReference[],
): Promise<Map<string, number>> {
  const rows = await listReferences(transaction, references)
  return new Map(rows.map((row) => [referenceKey(row), row.amount ?? 0]))
}

const listReferences = listQuery<RevenueReference, NoValues, RevenueReference & { amount: number | null }>(
  { ...cellColumns, reference: 'text' },
  ({ value }, references) => sql`
    select log.date, log."departmentId", log.kind, log.reference, log.amount
    from ${references} cross join "revenueLog" as log
    where log."companyId" = ${value('companyId')} and ${joinsCell('log')}
      and log.reference = r.reference and log.reference is not null`,
)
