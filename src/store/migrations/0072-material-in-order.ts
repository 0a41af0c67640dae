// Material in the order in which screens list it, with all that they filter and add up by (ADR 0116).
import type { Kysely } from 'kysely'
import { tellPlanner } from '#store/migrations/statistics.ts'
import type { DialectName } from '#store/statement.ts'

export const up = async (db: Kysely<unknown>, dialect: DialectName): Promise<void> => {
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
  await tellPlanner(db, dialect, ['material'])
}
