// Material by who registered it: people see and correct their own.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('materialRegisteredBy')
    .on('material')
    .columns(['companyId', 'registeredBy', 'id'])
    .execute()
}
