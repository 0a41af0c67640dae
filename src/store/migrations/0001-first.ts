// The first schema: companies and who may call, revenue and its journal.
import { sql, type Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { text, integer, table, clustered, numbered } = shapes(dialect)
  const create = (name: string) => db.schema.createTable(name)

  await table(
    numbered(create('company'))
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('nameKey', text, (column) => column.notNull().unique())
      .addColumn('timezone', text, (column) => column.notNull())
      .addColumn('currency', text, (column) => column.notNull())
      .addColumn('settings', text, (column) => column.notNull())
      .addColumn('createdAt', integer, (column) => column.notNull())
      .addColumn('disabledAt', integer),
  ).execute()

  await clustered(
    create('counter')
      .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
      .addColumn('stamp', integer, (column) => column.notNull())
      .addColumn('revenueId', integer, (column) => column.notNull())
      .addColumn('revenueLogId', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('counterKey', ['companyId']),
  ).execute()

  await clustered(
    create('revenue')
      .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
      .addColumn('date', text, (column) => column.notNull())
      .addColumn('departmentId', text, (column) => column.notNull())
      .addColumn('kind', text, (column) => column.notNull())
      .addColumn('extra', integer, (column) => column.notNull())
      .addColumn('id', integer, (column) => column.notNull())
      .addColumn('amount', integer)
      .addColumn('remark', text)
      .addColumn('changedAt', integer, (column) => column.notNull())
      .addColumn('createdAt', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('revenueCell', [
        'companyId',
        'date',
        'departmentId',
        'kind',
        'extra',
      ])
      // A record leads only where it has a date and a department.
      .addCheckConstraint(
        'revenueLeads',
        sql`extra = id or (extra = 0 and date <> '' and "departmentId" <> '')`,
      ),
  ).execute()
  await unique('revenueId', 'revenue', ['companyId', 'id'])
  await unique('revenueChange', 'revenue', ['companyId', 'changedAt'])

  await clustered(
    create('revenueLog')
      .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
      .addColumn('id', integer, (column) => column.notNull())
      .addColumn('at', integer, (column) => column.notNull())
      .addColumn('revenueId', integer, (column) => column.notNull())
      .addColumn('date', text, (column) => column.notNull())
      .addColumn('departmentId', text, (column) => column.notNull())
      .addColumn('kind', text, (column) => column.notNull())
      .addColumn('action', text, (column) => column.notNull())
      .addColumn('amount', integer)
      .addColumn('before', integer)
      .addColumn('after', integer)
      .addColumn('reference', text)
      .addColumn('actor', text, (column) => column.notNull())
      .addColumn('requestId', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('revenueLogKey', ['companyId', 'id']),
  ).execute()
  await db.schema
    .createIndex('revenueLogReference')
    .on('revenueLog')
    .columns(['companyId', 'date', 'departmentId', 'kind', 'reference'])
    .unique()
    .where(sql.ref('reference'), 'is not', null)
    .execute()

  await clustered(
    create('credential')
      .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
      .addColumn('id', text, (column) => column.notNull())
      .addColumn('kind', text, (column) => column.notNull())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('owner', text, (column) => column.notNull())
      .addColumn('secretKind', text, (column) => column.notNull())
      .addColumn('secretHash', text, (column) => column.notNull())
      .addColumn('scopes', text, (column) => column.notNull())
      .addColumn('addresses', text)
      .addColumn('version', integer, (column) => column.notNull())
      .addColumn('createdAt', integer, (column) => column.notNull())
      .addColumn('expiresAt', integer)
      .addColumn('lastUsedAt', integer)
      .addColumn('revokedAt', integer)
      .addPrimaryKeyConstraint('credentialKey', ['companyId', 'id']),
  ).execute()
  await unique('credentialId', 'credential', ['id'])

  await clustered(
    create('knownAddress')
      .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
      .addColumn('address', text, (column) => column.notNull())
      .addColumn('succeededAt', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('knownAddressKey', ['companyId', 'address']),
  ).execute()

  await table(
    numbered(create('user'))
      .addColumn('email', text, (column) => column.notNull())
      .addColumn('emailKey', text, (column) => column.notNull().unique())
      .addColumn('passwordHash', text, (column) => column.notNull())
      .addColumn('isOperator', integer, (column) => column.notNull())
      .addColumn('version', integer, (column) => column.notNull())
      .addColumn('createdAt', integer, (column) => column.notNull())
      .addColumn('disabledAt', integer),
  ).execute()

  await clustered(
    create('membership')
      .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
      .addColumn('userId', integer, (column) => column.notNull().references('user.id'))
      .addColumn('role', text, (column) => column.notNull())
      .addColumn('departments', text)
      .addPrimaryKeyConstraint('membershipKey', ['companyId', 'userId']),
  ).execute()

  await clustered(
    create('setting')
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('value', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('settingKey', ['name']),
  ).execute()

  await clustered(
    create('idempotency')
      .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
      .addColumn('owner', text, (column) => column.notNull())
      .addColumn('key', text, (column) => column.notNull())
      .addColumn('requestHash', text, (column) => column.notNull())
      .addColumn('createdAt', integer, (column) => column.notNull())
      .addColumn('status', integer, (column) => column.notNull())
      .addColumn('answer', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('idempotencyKey', ['companyId', 'owner', 'key']),
  ).execute()
  await db.schema.createIndex('idempotencyAge').on('idempotency').columns(['createdAt']).execute()

  function unique(name: string, on: string, columns: string[]): Promise<void> {
    return db.schema.createIndex(name).on(on).columns(columns).unique().execute()
  }
}
