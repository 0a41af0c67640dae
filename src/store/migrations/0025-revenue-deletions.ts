// The way to what was deleted since a moment, for readers who follow changes (ADR 0028).
import { sql, type Kysely } from 'kysely'
import { actions } from '../../model/revenue-log.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('revenueLogDeletion')
    .on('revenueLog')
    .columns(['companyId', 'at', 'revenueId'])
    .where(sql.ref('action'), '=', sql.lit(actions.delete))
    .execute()
}
