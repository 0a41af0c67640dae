// Material in the order in which screens list it, with all that they filter and add up by (ADR 0116).
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('materialDay')
    .on('material')
    .columns([
      'companyId',
      'state',
      'date',
      'id',
      'projectId',
      'departmentId',
      'employeeId',
      'source',
      'amount',
    ])
    .execute()
}
