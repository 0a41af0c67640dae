// Old retrievals are folded into one row per day: how many it stands for, and the last of their numbers.
import type { Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { integer } = shapes(dialect)
  await db.schema
    .alterTable('handOut')
    .addColumn('retrievals', integer, (column) => column.notNull().defaultTo(1))
    .execute()
  await db.schema.alterTable('handOut').addColumn('throughId', integer).execute()
  await db.schema
    .alterTable('destination')
    .addColumn('foldedUntil', integer, (column) => column.notNull().defaultTo(0))
    .execute()
}
