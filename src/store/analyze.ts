// Runs `analyze` on PostgreSQL after a bulk load. Autovacuum would, but later, and plans are bad until then.
import { sql } from 'kysely'
import { statement, type Statement } from './statement.ts'
import type { Reader } from './store.ts'

/** Never throws: without it, reads are only slower for a while. */
export async function analyze(reader: Reader, tables: readonly string[]): Promise<void> {
  // SQLite has statistics that never change (ADR 0029).
  if (reader.dialect === 'sqlite') return
  try {
    for (const table of tables) await reader.all(analyzing(table), {})
  } catch {
    return
  }
}

function analyzing(table: string): Statement<unknown> {
  return statement(() => sql`analyze ${sql.table(table)}`)
}
