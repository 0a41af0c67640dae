// Suspends exports after a restore.
import { sql } from 'kysely'
import { withSchemaConnection } from '../open-store.ts'

/** The database lacks what was exported after the backup, so exports wait until the journal is replayed or they are resumed. */
export function suspendExports(url: string, at: number): Promise<void> {
  return withSchemaConnection(url, async (db) => {
    await sql`insert into setting (name, value) values ('exportsSuspended', ${String(at)})
      on conflict (name) do update set value = excluded.value`.execute(db)
  })
}
