// Runs ANALYZE on PostgreSQL after a bulk load; until autovacuum does it, plans are bad.
import { sql } from 'kysely'
import { crossCompanyStatement } from './statement.ts'
import type { Reader } from './store.ts'

/** Never throws: without fresh statistics, reads are only slower for a while. */
export async function analyzeTables(reader: Reader, tables: readonly string[]): Promise<void> {
  // The planner statistics of SQLite are fixed (ADR 0014).
  if (reader.dialect === 'sqlite') return
  try {
    for (const table of tables)
      await reader.all(
        crossCompanyStatement(() => sql`analyze ${sql.table(table)}`),
        {},
      )
  } catch {
    return
  }
}
