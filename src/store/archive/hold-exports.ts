// Exports are held after a restore, until somebody says that they may go on.
import { sql } from 'kysely'
import { withAdministration } from '../open-store.ts'

/** Nobody knows what was exported after the backup was made: exports wait until the journal or a person says. */
export function holdExports(url: string, at: number): Promise<void> {
  return withAdministration(url, async (db) => {
    await sql`insert into setting (name, value) values ('exportsHeld', ${String(at)})
      on conflict (name) do update set value = excluded.value`.execute(db)
  })
}
