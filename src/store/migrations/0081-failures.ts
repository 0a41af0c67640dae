// Wrong passwords that count, so that servers on one database count together.
import type { Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { text, integer, table, numbered } = shapes(dialect)
  await table(
    numbered(db.schema.createTable('failure'))
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('at', integer, (column) => column.notNull())
      .addColumn('server', text, (column) => column.notNull()),
  ).execute()
  await db.schema.createIndex('failureName').on('failure').columns(['name', 'id']).execute()
}
