// Imported files: what each changed, so that it can be taken back as long as nobody changed it since.
import type { Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { text, integer, clustered } = shapes(dialect)
  await clustered(
    db.schema
      .createTable('importRun')
      .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
      .addColumn('id', integer, (column) => column.notNull())
      .addColumn('at', integer, (column) => column.notNull())
      .addColumn('actor', text, (column) => column.notNull())
      .addColumn('resource', text, (column) => column.notNull())
      .addColumn('file', text, (column) => column.notNull())
      .addColumn('inserted', integer, (column) => column.notNull())
      .addColumn('changed', integer, (column) => column.notNull())
      .addColumn('unchanged', integer, (column) => column.notNull())
      .addColumn('wrong', integer, (column) => column.notNull())
      .addColumn('undoneAt', integer)
      .addColumn('undoneBy', text)
      .addPrimaryKeyConstraint('importRunKey', ['companyId', 'id']),
  ).execute()
  await clustered(
    db.schema
      .createTable('importChange')
      .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
      .addColumn('runId', integer, (column) => column.notNull())
      .addColumn('key', text, (column) => column.notNull())
      .addColumn('before', text)
      .addColumn('changedAt', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('importChangeKey', ['companyId', 'runId', 'key']),
  ).execute()
}
