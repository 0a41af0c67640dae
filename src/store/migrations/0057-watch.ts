// What a company wants to hear of: an integration that falls silent, and lines that nobody fetches.
import type { Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { text, integer, clustered } = shapes(dialect)
  await clustered(
    db.schema
      .createTable('watch')
      .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
      .addColumn('subject', text, (column) => column.notNull())
      .addColumn('hours', integer, (column) => column.notNull())
      .addColumn('raisedAt', integer)
      .addPrimaryKeyConstraint('watchKey', ['companyId', 'subject']),
  ).execute()
}
