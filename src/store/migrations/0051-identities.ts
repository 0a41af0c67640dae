// Who people are to an identity provider, and which memberships its groups gave.
import type { Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { text, integer, clustered } = shapes(dialect)
  await clustered(
    db.schema
      .createTable('userIdentity')
      .addColumn('issuer', text, (column) => column.notNull())
      .addColumn('subject', text, (column) => column.notNull())
      .addColumn('userId', integer, (column) => column.notNull().references('user.id'))
      .addColumn('createdAt', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('userIdentityKey', ['issuer', 'subject']),
  ).execute()
  await db.schema.createIndex('userIdentityUser').on('userIdentity').columns(['userId']).execute()
  await db.schema.alterTable('membership').addColumn('byGroups', text).execute()
}
