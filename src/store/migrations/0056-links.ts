// Links that are sent to people: invitations to a company, and ways to a new password; and the name that people give themselves.
import type { Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { text, integer, table, clustered, numbered } = shapes(dialect)
  await db.schema.alterTable('user').addColumn('name', text).execute()
  await table(numbered(db.schema.createTable('invitation')))
    .addColumn('tokenHash', text, (column) => column.notNull().unique())
    .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
    .addColumn('email', text, (column) => column.notNull())
    .addColumn('emailKey', text, (column) => column.notNull())
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('departments', text)
    .addColumn('createdAt', integer, (column) => column.notNull())
    .addColumn('expiresAt', integer, (column) => column.notNull())
    .addUniqueConstraint('invitationEmail', ['companyId', 'emailKey'])
    .execute()
  await clustered(
    db.schema
      .createTable('forgottenPassword')
      .addColumn('emailKey', text, (column) => column.notNull())
      .addColumn('language', text, (column) => column.notNull())
      .addColumn('address', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('forgottenPasswordKey', ['emailKey']),
  ).execute()
  await clustered(
    db.schema
      .createTable('passwordLink')
      .addColumn('tokenHash', text, (column) => column.notNull())
      .addColumn('userId', integer, (column) => column.notNull().references('user.id'))
      .addColumn('userVersion', integer, (column) => column.notNull())
      .addColumn('createdAt', integer, (column) => column.notNull())
      .addColumn('expiresAt', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('passwordLinkKey', ['tokenHash']),
  ).execute()
  await db.schema
    .createIndex('passwordLinkUser')
    .on('passwordLink')
    .columns(['userId', 'createdAt'])
    .execute()
}
