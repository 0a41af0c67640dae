// The directory: departments, sites, projects and employees, each under its company.
import type { CreateTableBuilder, Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { text, integer, clustered } = shapes(dialect)

  for (const { name, key, texts, integers, references } of tables) {
    let table: CreateTableBuilder<string, string> = db.schema
      .createTable(name)
      .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
      .addColumn('id', key === 'text' ? text : integer, (column) => column.notNull())
    for (const column of texts) table = table.addColumn(column, text)
    for (const column of integers) table = table.addColumn(column, integer)
    for (const column of ['changedAt', 'createdAt'])
      table = table.addColumn(column, integer, (built) => built.notNull())
    table = table.addPrimaryKeyConstraint(`${name}Key`, ['companyId', 'id'])
    // SQLite takes a reference to a table that is still to come, and none afterwards.
    if (dialect === 'sqlite')
      for (const [column, to] of references)
        table = table.addForeignKeyConstraint(
          nameOf(name, column, 'Reference'),
          ['companyId', column],
          to,
          ['companyId', 'id'],
          (reference) => reference.deferrable(),
        )
    await clustered(table).execute()
    for (const [column] of references)
      await db.schema
        .createIndex(nameOf(name, column))
        .on(name)
        .columns(['companyId', column, 'id'])
        .execute()
  }
  if (dialect === 'sqlite') return
  for (const { name, references } of tables)
    for (const [column, to] of references)
      await db.schema
        .alterTable(name)
        .addForeignKeyConstraint(
          nameOf(name, column, 'Reference'),
          ['companyId', column],
          to,
          ['companyId', 'id'],
          (reference) => reference.deferrable(),
        )
        .execute()
}

/** `employeeDepartmentId`. */
function nameOf(table: string, column: string, what = ''): string {
  return table + column.charAt(0).toUpperCase() + column.slice(1) + what
}

interface Table {
  readonly name: string
  readonly key: 'text' | 'integer'
  readonly texts: readonly string[]
  /** Whole numbers, and what is stored as one: decimals, stamps, and booleans as 0 and 1. */
  readonly integers: readonly string[]
  /** Columns that hold the id of a record of another table, in the same company. */
  readonly references: readonly (readonly [column: string, table: string])[]
}

const tables: readonly Table[] = [
  {
    name: 'department',
    key: 'text',
    texts: ['name', 'parentId', 'description', 'organisationNumber', 'email', 'externalId'],
    integers: ['responsibleId', 'isActive'],
    references: [
      ['parentId', 'department'],
      ['responsibleId', 'employee'],
    ],
  },
  {
    name: 'site',
    key: 'text',
    texts: ['name', 'address', 'postalCode', 'postalTown', 'externalId'],
    integers: [],
    references: [],
  },
  {
    name: 'project',
    key: 'text',
    texts: [
      'name',
      'note',
      'status',
      'departmentId',
      'siteId',
      'customerId',
      'externalId',
      'startedOn',
      'finishedOn',
      'closedOn',
    ],
    integers: ['responsibleId', 'isInternal', 'isStarted', 'isFinished', 'isClosed'],
    references: [
      ['departmentId', 'department'],
      ['siteId', 'site'],
      ['responsibleId', 'employee'],
    ],
  },
  {
    name: 'employee',
    key: 'integer',
    texts: [
      'firstName',
      'lastName',
      'address',
      'postalCode',
      'postalTown',
      'privatePhone',
      'mobile',
      'email',
      'bornOn',
      'title',
      'hiredOn',
      'leftOn',
      'departmentId',
      'identifier',
      'note',
      'projectId',
      'externalId',
    ],
    integers: ['hasLeft', 'isActive', 'positionPercent', 'isHired'],
    references: [
      ['departmentId', 'department'],
      ['projectId', 'project'],
    ],
  },
]
