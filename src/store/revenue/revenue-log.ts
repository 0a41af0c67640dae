// Revenue log: entries are inserted with each change, and found by their reference.
import { sql } from 'kysely'
import type { Revenue } from '../../model/revenue.ts'
import { cellColumns, cellKey, joinsCell, type Cell } from './cells.ts'
import { defineInsert, insertRows } from '../bulk-insert.ts'
import { rowsFromJson, statement } from '../statement.ts'
import type { Transaction } from '../store.ts'
import { tables } from '../tables.ts'
import type { RevenueLogTable } from '../tables/revenue.ts'

/** The log entry of one change. */
export type NewRevenueLogEntry = Pick<
  RevenueLogTable,
  'action' | 'amount' | 'before' | 'after' | 'reference' | 'actor' | 'requestId'
>

/** A record after its changes, or as it was before its deletion. */
export interface LoggedRevenue {
  readonly record: Revenue
  readonly log: readonly NewRevenueLogEntry[]
}

export function insertLogEntries(
  transaction: Transaction,
  logged: readonly LoggedRevenue[],
): Promise<void> {
  const rows = logged.flatMap(({ record, log }) =>
    log.map((entry) => ({
      ...entry,
      id: transaction.sequences.nextRevenueLogId(),
      at: record.changedAt,
      revenueId: record.id,
      date: record.date ?? '',
      departmentId: record.departmentId ?? '',
      kind: record.kind,
    })),
  )
  return insertRows(transaction, logInsert, rows)
}

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

const logInsert = defineInsert(tables.revenueLog)

const referencesStatement = statement<RevenueReference & { amount: number | null }>(
  (build) => sql`
    select log.date, log."departmentId", log.kind, log.reference, log.amount
    from ${rowsFromJson(build, 'references', { ...cellColumns, reference: 'text' })}
    cross join "revenueLog" as log
    where log."companyId" = ${build.value('companyId')} and ${joinsCell('log')}
      and log.reference = r.reference and log.reference is not null`,
)
