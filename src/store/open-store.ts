// Opens a database by its address, checks its schema, and makes it where that is asked for.
import { accessSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import { Pool } from 'pg'
import { exitCodes, OperatorError } from '#lib/operator-error.ts'
import { migrate, schemaState, type SchemaState } from '#store/migrations/migrate.ts'
import { PostgresStore } from '#store/postgres/postgres-store.ts'
import { SqliteStore } from '#store/sqlite/sqlite-store.ts'
import type { DialectName } from '#store/statement.ts'
import type { Store } from '#store/store.ts'

export interface OpenOptions {
  /** `sqlite:PATH` or `postgres://…`. */
  readonly url: string
  /** Make the database where there is none and bring its schema up to date; only serve, migrate and restore do. */
  readonly isCreating: boolean
  readonly connectionsMax?: number
  readonly onStorageError?: (error: unknown) => void
  readonly isGrouping?: boolean
}

/**
 * Opens the store. Throws an `OperatorError` that says what to do when there is no database, when its
 * schema is behind (and this command may not change it), or when a newer program has used it.
 */
export const openStore = async (options: OpenOptions): Promise<Store> => {
  await prepareSchema(options)
  const path = sqlitePath(options.url)
  return path === null ? new PostgresStore(options) : new SqliteStore({ ...options, path })
}

/** The schema's state without changing anything. */
export const inspectSchema = (url: string): Promise<SchemaState> => {
  refuseMissing(url)
  return withAdministration(url, (db) => schemaState(db))
}

/** Brings the schema up to date, making the database file where there is none; names what was run. */
export const migrateDatabase = (url: string): Promise<string[]> =>
  withAdministration(url, (db, dialect) => migrate(db, dialect))

/** The file of a `sqlite:` address, absolute; null for a server's address. */
export const sqlitePath = (url: string): string | null =>
  url.startsWith('sqlite:') ? resolve(url.slice('sqlite:'.length)) : null

const prepareSchema = async ({ url, isCreating }: OpenOptions): Promise<void> => {
  if (!isCreating) refuseMissing(url)
  const { waiting, unknown } = await withAdministration(url, (db) => schemaState(db))
  if (unknown.length > 0)
    throw new OperatorError(
      `The database was used by a newer dagsverk (it has ${unknown.join(', ')}). Run that version or a newer one.`,
      exitCodes.configuration,
    )
  if (waiting.length === 0) return
  if (!isCreating)
    throw new OperatorError(
      `The database lacks ${waiting.join(', ')}. Run "dagsverk migrate" first, or start the server.`,
      exitCodes.configuration,
    )
  await migrateDatabase(url)
}

const refuseMissing = (url: string): void => {
  const path = sqlitePath(url)
  if (path === null) return
  if (!existsSync(path))
    throw new OperatorError(
      `There is no database at ${path}. Start the server or run "dagsverk migrate" to make one.`,
      exitCodes.configuration,
    )
  accessSync(path)
}

/** Works on the schema itself, over one connection of its own. */
export const withAdministration = async <T>(
  url: string,
  work: (db: Kysely<unknown>, dialect: DialectName) => Promise<T>,
): Promise<T> => {
  const path = sqlitePath(url)
  const db = new Kysely<unknown>({
    dialect: path === null ? postgresDialect(url) : sqliteDialect(path),
  })
  try {
    return await work(db, path === null ? 'postgres' : 'sqlite')
  } finally {
    await db.destroy()
  }
}

const sqliteDialect = (path: string) => {
  mkdirSync(dirname(path), { recursive: true })
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  return new SqliteDialect({ database })
}

const postgresDialect = (url: string) =>
  new PostgresDialect({ pool: new Pool({ connectionString: url, max: 1 }) })
