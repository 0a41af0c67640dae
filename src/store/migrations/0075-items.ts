// Every item that material was ever registered with, once each, and those that people put a star on.
import { sql, type Kysely } from 'kysely'
import { shapes } from './shapes.ts'
import type { DialectName } from '../../engine/sql/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { text, integer, clustered } = shapes(dialect)
  // An item has a name, a number, or both; what it has not is empty, for a key holds no null.
  await clustered(
    db.schema
      .createTable('item')
      .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
      .addColumn('itemName', text, (column) => column.notNull())
      .addColumn('itemId', text, (column) => column.notNull())
      .addColumn('unit', text)
      .addColumn('salesPrice', integer)
      .addColumn('searched', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('itemKey', ['companyId', 'itemName', 'itemId']),
  ).execute()
  await clustered(
    db.schema
      .createTable('favouriteItem')
      .addColumn('companyId', integer, (column) => column.notNull().references('company.id'))
      .addColumn('userId', integer, (column) => column.notNull().references('user.id'))
      .addColumn('itemName', text, (column) => column.notNull())
      .addColumn('itemId', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('favouriteItemKey', ['companyId', 'userId', 'itemName', 'itemId']),
  ).execute()

  const both = sql`coalesce("itemName", '') || ' ' || coalesce("itemId", '')`
  const lower =
    dialect === 'sqlite' ? sql`text_lower(${both})` : sql`lower((${both}) collate "und-x-icu")`
  // What each was last time: the latest of its lines has the highest id.
  await sql`
    insert into item ("companyId", "itemName", "itemId", unit, "salesPrice", searched)
    select material."companyId", coalesce("itemName", ''), coalesce("itemId", ''), unit, "salesPrice", ${lower}
    from material join (
      select "companyId", max(id) as id from material group by "companyId", "itemName", "itemId"
    ) as latest on latest."companyId" = material."companyId" and latest.id = material.id`.execute(
    db,
  )
}
