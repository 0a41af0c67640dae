// Webhooks: who wants to be told, what happened, and how telling it went.
import type { Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { text, integer, table, numbered } = shapes(dialect)
  await table(numbered(db.schema.createTable('webhook')))
    .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
    .addColumn('url', text, (column) => column.notNull())
    .addColumn('types', text, (column) => column.notNull())
    .addColumn('secret', text, (column) => column.notNull())
    .addColumn('secretBefore', text)
    .addColumn('secretBeforeUntil', integer)
    .addColumn('createdAt', integer, (column) => column.notNull())
    .addColumn('disabledAt', integer)
    .execute()
  await db.schema.createIndex('webhookCompany').on('webhook').columns(['companyId']).execute()
  await table(numbered(db.schema.createTable('event')))
    .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
    .addColumn('type', text, (column) => column.notNull())
    .addColumn('at', integer, (column) => column.notNull())
    .addColumn('data', text, (column) => column.notNull())
    .execute()
  await table(numbered(db.schema.createTable('delivery')))
    .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
    .addColumn('webhookId', integer, (column) => column.notNull())
    .addColumn('eventId', integer, (column) => column.notNull())
    .addColumn('createdAt', integer, (column) => column.notNull())
    .addColumn('dueAt', integer)
    .addColumn('attempts', integer, (column) => column.notNull())
    .addColumn('deliveredAt', integer)
    .addColumn('status', integer)
    .addColumn('problem', text)
    .execute()
  await db.schema.createIndex('deliveryDue').on('delivery').columns(['dueAt']).execute()
  await db.schema
    .createIndex('deliveryWebhook')
    .on('delivery')
    .columns(['companyId', 'webhookId', 'id'])
    .execute()
}
