// Prepares a restored database for what it does not know: what was exported, assigned, changed and ended after the backup.
import { sql } from 'kysely'
import { restoreSetting } from '../delta.ts'
import { suspensionSetting } from '../export/export-suspension.ts'
import { withSchemaConnection } from '../open-store.ts'
import { lostIdsMax } from '../sequences.ts'

/**
 * Suspends exports until the journal is replayed or they are released, skips the ids that others may know records by, lets
 * delta links expire, and ends sessions, which people may have ended since. `at` in microseconds.
 */
export function markRestored(url: string, at: number): Promise<void> {
  return withSchemaConnection(url, async (db) => {
    for (const name of [suspensionSetting, restoreSetting])
      await sql`insert into setting (name, value) values (${name}, ${String(at)})
        on conflict (name) do update set value = excluded.value`.execute(db)
    const skipped = lostIdsMax.map(
      ([sequence, count]) => sql`${sql.ref(sequence)} = ${sql.ref(sequence)} + ${sql.lit(count)}`,
    )
    await sql`update sequence set ${sql.join(skipped)}`.execute(db)
    for (const table of signInTables) await sql`delete from ${sql.table(table)}`.execute(db)
  })
}

/** What signs a person in without a password or a second factor. */
const signInTables = ['session', 'trustedDevice', 'passwordLink'] as const
