// Views of a screen that a person keeps under a name.
import type { Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { text, integer, clustered } = shapes(dialect)
  await clustered(
    db.schema
      .createTable('savedView')
      .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
      .addColumn('userId', integer, (column) => column.notNull().references('user.id'))
      .addColumn('screen', text, (column) => column.notNull())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('search', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('savedViewKey', ['companyId', 'userId', 'screen', 'name']),
  ).execute()
}
