// Sessions of people in the browser app, and the journal of revenue by cell, which the app shows.
import type { Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { text, integer, clustered } = shapes(dialect)
  await clustered(
    db.schema
      .createTable('session')
      .addColumn('idHash', text, (column) => column.notNull())
      .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
      .addColumn('userId', integer, (column) => column.notNull().references('user.id'))
      .addColumn('userVersion', integer, (column) => column.notNull())
      .addColumn('createdAt', integer, (column) => column.notNull())
      .addColumn('seenAt', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('sessionKey', ['idHash']),
  ).execute()
  await db.schema.createIndex('sessionAge').on('session').columns(['createdAt']).execute()
  // Entries of one cell stand together, and mostly at the end: revenue comes day by day.
  await db.schema
    .createIndex('revenueLogCell')
    .on('revenueLog')
    .columns(['companyId', 'date', 'departmentId', 'kind'])
    .execute()
}
