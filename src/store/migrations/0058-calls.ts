// How integrations fare: when a call of theirs was answered well, and what was refused them, and why.
import type { Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { text, integer, clustered } = shapes(dialect)
  await clustered(
    db.schema
      .createTable('lastSuccess')
      .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
      .addColumn('credentialId', text, (column) => column.notNull())
      .addColumn('at', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('lastSuccessKey', ['companyId', 'credentialId']),
  ).execute()
  await clustered(
    db.schema
      .createTable('refusedCall')
      .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
      .addColumn('at', integer, (column) => column.notNull())
      .addColumn('requestId', text, (column) => column.notNull())
      .addColumn('credentialId', text, (column) => column.notNull())
      .addColumn('method', text, (column) => column.notNull())
      .addColumn('route', text, (column) => column.notNull())
      .addColumn('status', integer, (column) => column.notNull())
      .addColumn('code', text, (column) => column.notNull())
      .addColumn('nb', text, (column) => column.notNull())
      .addColumn('en', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('refusedCallKey', ['companyId', 'at', 'requestId']),
  ).execute()
  await db.schema
    .createIndex('refusedCallRequest')
    .on('refusedCall')
    .columns(['companyId', 'requestId'])
    .execute()
}
