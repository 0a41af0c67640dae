// What columns of files mean, kept under a name for those who import the same kind of file again.
import type { Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { text, integer, clustered } = shapes(dialect)
  await clustered(
    db.schema
      .createTable('importMapping')
      .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
      .addColumn('resource', text, (column) => column.notNull())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('columns', text, (column) => column.notNull())
      .addColumn('savedAt', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('importMappingKey', ['companyId', 'resource', 'name']),
  ).execute()
}
