// Second factors of people, the devices that are trusted with them, and where a session came from.
import { sql, type Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { text, integer, clustered } = shapes(dialect)
  await clustered(
    db.schema
      .createTable('userFactor')
      .addColumn('userId', integer, (column) => column.notNull().references('user.id'))
      .addColumn('sealedSeed', text, (column) => column.notNull())
      .addColumn('confirmedAt', integer)
      .addColumn('lastStep', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('userFactorKey', ['userId']),
  ).execute()
  await clustered(
    db.schema
      .createTable('recoveryCode')
      .addColumn('userId', integer, (column) => column.notNull().references('user.id'))
      .addColumn('codeHash', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('recoveryCodeKey', ['userId', 'codeHash']),
  ).execute()
  await clustered(
    db.schema
      .createTable('trustedDevice')
      .addColumn('userId', integer, (column) => column.notNull().references('user.id'))
      .addColumn('secretHash', text, (column) => column.notNull())
      .addColumn('userVersion', integer, (column) => column.notNull())
      .addColumn('agent', text, (column) => column.notNull())
      .addColumn('createdAt', integer, (column) => column.notNull())
      .addColumn('seenAt', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('trustedDeviceKey', ['userId', 'secretHash']),
  ).execute()
  // Whoever is signed in gives the password once more before something grave.
  await db.schema
    .alterTable('session')
    .addColumn('provenAt', integer, (column) => column.notNull().defaultTo(sql`0`))
    .execute()
  await db.schema
    .alterTable('session')
    .addColumn('via', text, (column) => column.notNull().defaultTo(sql`'password'`))
    .execute()
  await db.schema
    .alterTable('session')
    .addColumn('agent', text, (column) => column.notNull().defaultTo(sql`''`))
    .execute()
  await db.schema.createIndex('sessionUser').on('session').columns(['userId']).execute()
}
