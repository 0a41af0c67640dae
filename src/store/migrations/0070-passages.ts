// How many entries of the audit tell who came and went: they change nothing that an open page shows.
import type { Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { integer } = shapes(dialect)
  await db.schema
    .alterTable('counter')
    .addColumn('passages', integer, (column) => column.notNull().defaultTo(0))
    .execute()
}
