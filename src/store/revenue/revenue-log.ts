// Revenue log: entries are inserted with each change, and found by their reference.
import { sql } from 'kysely'
import { cellColumns, cellKey, joinsCell, type Cell } from './cells.ts'
import { defineInsert, type NewRow } from '../bulk-insert.ts'
import { rowsFromJson, statement } from '../statement.ts'
import type { Transaction } from '../store.ts'
import { tables } from '../tables.ts'
import type { RevenueLogTable, RevenueTable } from '../tables/revenue.ts'

/** The log entry of one change. */
export type NewRevenueLogEntry = Pick<
  RevenueLogTable,
  'action' | 'amount' | 'before' | 'after' | 'reference' | 'actor' | 'requestId'
>

/** Gives each entry an id, and links it to the one before it: the first of them to the last entry of the record so far. */
export function linkEntries(
  { sequences }: Transaction,
  { date, departmentId, kind, ...record }: Omit<RevenueTable, 'companyId'>,
  log: readonly NewRevenueLogEntry[],
): NewRow<typeof tables.revenueLog>[] {
  let previousId = record.logId
  return log.map((entry) => {
    const id = sequences.nextRevenueLogId()
    const { id: revenueId, changedAt: at } = record
    const row = { ...entry, id, at, revenueId, date, departmentId, kind, previousId }
    previousId = id
    return row
  })
}

export const logInsert = defineInsert(tables.revenueLog)

export const departureInsert = defineInsert(tables.revenueDeparture)

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
  if (references.length === 0) return new Map()
  const rows = await transaction.all(referencesStatement, {
    companyId: transaction.companyId,
    references: JSON.stringify(references),
  })
  return new Map(rows.map((row) => [referenceKey(row), row.amount ?? 0]))
}

const referencesStatement = statement<RevenueReference & { amount: number | null }>(
  (build) => sql`
    select log.date, log."departmentId", log.kind, log.reference, log.amount
    from ${rowsFromJson(build, 'references', { ...cellColumns, reference: 'text' })}
    cross join "revenueLog" as log
    where log."companyId" = ${build.value('companyId')} and ${joinsCell('log')}
      and log.reference = r.reference and log.reference is not null`,
)
