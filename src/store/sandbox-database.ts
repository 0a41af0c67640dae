// The databases that a sandbox may take: empty ones, and those that a sandbox has marked as its own.
import { sql, type Kysely } from 'kysely'
import { withAdministration } from './open-store.ts'

/** The name of the setting that marks a database as a sandbox's. */
export const sandboxMark = 'sandbox'

/** Drops every table of a database that carries the mark. False where it holds anything else: nothing is touched. */
export function emptyForSandbox(url: string): Promise<boolean> {
  return withAdministration(url, async (db) => {
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
    if (tables.length === 0) return true
    const hasSettings = tables.some(({ name }) => name === 'setting')
    if (!hasSettings || !(await isMarked(db))) return false
    // A view goes with its tables.
    for (const { schema = 'public', name } of tables.filter(({ isView }) => !isView))
      await sql`drop table ${sql.id(schema, name)} cascade`.execute(db)
    return true
  })
}

async function isMarked(db: Kysely<unknown>): Promise<boolean> {
  const found = await db
    .withTables<{ setting: { name: string } }>()
    .selectFrom('setting')
    .select('name')
    .where('name', '=', sandboxMark)
    .executeTakeFirst()
  return found !== undefined
}
