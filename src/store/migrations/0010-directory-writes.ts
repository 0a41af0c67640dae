// What writing the directory needs: numbers for employees, what was deleted, and the ways that readers and imports come.
import { sql, type Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { text, integer, clustered } = shapes(dialect)

  await db.schema
    .alterTable('counter')
    .addColumn('employeeId', integer, (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update counter set "employeeId" = coalesce(
    (select max(employee.id) from employee where employee."companyId" = counter."companyId"), 0)`.execute(
    db,
  )

  await clustered(
    db.schema
      .createTable('directoryDeletion')
      .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
      .addColumn('resource', text, (column) => column.notNull())
      .addColumn('key', text, (column) => column.notNull())
      .addColumn('at', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('directoryDeletionKey', ['companyId', 'resource', 'key']),
  ).execute()
  await db.schema
    .createIndex('directoryDeletionMoment')
    .on('directoryDeletion')
    .columns(['companyId', 'at'])
    .unique()
    .execute()

  for (const table of ['department', 'site', 'project', 'employee'])
    for (const [name, column] of [
      ['Change', 'changedAt'],
      ['ExternalId', 'externalId'],
    ] as const)
      await db.schema
        .createIndex(table + name)
        .on(table)
        .columns(['companyId', column, 'id'])
        .execute()
}
