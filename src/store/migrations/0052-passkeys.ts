// Passkeys of people.
import type { Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { text, integer, clustered } = shapes(dialect)
  await clustered(
    db.schema
      .createTable('userPasskey')
      .addColumn('id', text, (column) => column.notNull())
      .addColumn('userId', integer, (column) => column.notNull().references('user.id'))
      .addColumn('publicKey', text, (column) => column.notNull())
      .addColumn('counter', integer, (column) => column.notNull())
      .addColumn('agent', text, (column) => column.notNull())
      .addColumn('createdAt', integer, (column) => column.notNull())
      .addColumn('usedAt', integer)
      .addPrimaryKeyConstraint('userPasskeyKey', ['id']),
  ).execute()
  await db.schema.createIndex('userPasskeyUser').on('userPasskey').columns(['userId']).execute()
}
