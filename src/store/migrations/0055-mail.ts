// Letters that wait to be sent: they are written with the act that they tell of.
import type { Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { text, integer, table, numbered } = shapes(dialect)
  await table(numbered(db.schema.createTable('mail')))
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('content', text, (column) => column.notNull())
    .addColumn('createdAt', integer, (column) => column.notNull())
    .addColumn('dueAt', integer)
    .addColumn('untilAt', integer, (column) => column.notNull())
    .addColumn('attempts', integer, (column) => column.notNull())
    .addColumn('sentAt', integer)
    .addColumn('problem', text)
    .execute()
  await db.schema.createIndex('mailDue').on('mail').columns(['dueAt']).execute()
}
