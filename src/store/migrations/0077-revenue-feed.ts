// The journal of revenue by who sent what, and which of it came with an imported file.
import type { Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await db.schema
    .createIndex('revenueLogActor')
    .on('revenueLog')
    .columns(['companyId', 'actor', 'id'])
    .execute()
  await db.schema.alterTable('importRun').addColumn('requestId', shapes(dialect).text).execute()
  await db.schema
    .createIndex('importRunRequest')
    .on('importRun')
    .columns(['companyId', 'requestId'])
    .execute()
}
