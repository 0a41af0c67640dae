// Sandbox databases: those that a sandbox may use are empty, or marked by an earlier sandbox.
import { sql, type Kysely } from 'kysely'
import { withSchemaConnection } from './open-store.ts'

export const sandboxSettingName = 'sandbox'

/** Drops every table of a marked database. Returns false, and changes nothing, where the database holds anything else. */
export function resetSandboxDatabase(url: string): Promise<boolean> {
  return withSchemaConnection(url, async (db) => {
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
    if (tables.length === 0) return true
    const hasSettings = tables.some(({ name }) => name === 'setting')
    if (!hasSettings || !(await hasSandboxSetting(db))) return false
    // Dropping its tables drops a view.
    for (const { schema = 'public', name } of tables.filter(({ isView }) => !isView))
      await sql`drop table ${sql.id(schema, name)} cascade`.execute(db)
    return true
  })
}

async function hasSandboxSetting(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql`select name from setting where name = ${sandboxSettingName}`.execute(db)
  return rows.length > 0
}
