// Brings a database to the schema of this program, or says how far it is from it.
import { sql, type Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { migrations } from './list.ts'
import type { SqlDialect } from '../../engine/sql/dialect.ts'

export interface SchemaState {
  readonly done: readonly string[]
  readonly waiting: readonly string[]
  /** Migrations in the database that this program does not have (`describeUnknownMigrations`). */
  readonly unknown: readonly string[]
}

/** The state of the schema; an empty database has everything waiting. Throws an `OperatorError` where another user owns the tables. */
export async function schemaState(db: Kysely<unknown>, dialect: SqlDialect): Promise<SchemaState> {
  // A server on SQLite does not load the driver.
  if (dialect === 'postgres') await (await import('../postgres/row-security.ts')).assertOwnTables(db)
  const known = new Set(migrations.map(({ name }) => name))
  const done = await namesDone(db, dialect)
  return {
    done,
    waiting: [...known].filter((name) => !done.includes(name)),
    unknown: done.filter((name) => !known.has(name)),
  }
}

/** Runs what is waiting, up to the migration `last`; several servers that start at once wait for one another. */
export async function migrate(db: Kysely<unknown>, dialect: SqlDialect, last?: string): Promise<string[]> {
  const schema = await schemaOf(db, dialect)
  const migrator = new Migrator({
    db,
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          migrations.map(({ name, up }): [string, Migration] => [
            name,
            { up: (db: Kysely<unknown>) => up(db, dialect) },
          ]),
        ),
    },
  })
  const { error, results } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last))
  if (error !== undefined) throw error instanceof Error ? error : new Error('migration failed')
  return (results ?? []).map(({ migrationName }) => migrationName)
}

async function namesDone(db: Kysely<unknown>, dialect: SqlDialect): Promise<string[]> {
  const { rows: tables } = await (
    dialect === 'sqlite'
      ? sql`select 1 from sqlite_schema where name = ${migrationTable}`
      : sql`select 1 from pg_tables where tablename = ${migrationTable} and schemaname = current_schema()`
  ).execute(db)
  if (tables.length === 0) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(migrationTable)} order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** A database may hold further schemas, such as those that a restore has put aside. */
async function schemaOf(db: Kysely<unknown>, dialect: SqlDialect): Promise<string | undefined> {
  if (dialect === 'sqlite') return undefined
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db)
  return rows[0]?.name
}

const migrationTable = 'kysely_migration'
