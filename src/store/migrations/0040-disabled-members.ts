// People who are shut out of one company, and may go on in others.
import type { Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await db.schema
    .alterTable('membership')
    .addColumn('disabledAt', shapes(dialect).integer)
    .execute()
}
