// Opens a database by its URL, checks its schema, and creates or migrates it on request.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, PostgresDialect, sql, SqliteDialect } from 'kysely'
import { configurationError } from '../lib/operator-error.ts'
import { writePlannerStatistics } from './migrations/statistics.ts'
import { describeUnknownMigrations } from './migrations/list.ts'
import { migrate, schemaState, type SchemaState } from './migrations/migrate.ts'
import {
  createDatabaseFile,
  setApplicationId,
  assertLocalFileSystem,
  assertOwnDatabase,
  assertWritable,
  toUnusableFileError,
} from './sqlite/database-file.ts'
import { LastChangeFile, readLastChange, readRecordedChange } from './sqlite/last-change.ts'
import { acquireServeLock, type ServeLock } from './sqlite/serve-lock.ts'
import { SqliteStore, type SqliteOptions } from './sqlite/sqlite-store.ts'
import type { PostgresOptions } from './postgres/postgres-store.ts'
import type { SqlDialect } from '../engine/sql/dialect.ts'
import type { Store } from './store.ts'

export interface OpenOptions
  extends PostgresOptions, Pick<SqliteOptions, 'onStorageError' | 'isGrouping' | 'logBytesMax'> {
  /** Create the database where there is none and migrate its schema; only serve, migrate and restore do. */
  readonly canCreate: boolean
  /** Lock the SQLite file against other servers; PostgreSQL allows several. */
  readonly isServing?: boolean
}

/**
 * Opens the store. Throws an `OperatorError` that says what to do when there is no database, when its
 * schema is outdated (and this command may not migrate it), when a newer version has migrated it, or when
 * another server holds the lock.
 */
export async function openStore(options: OpenOptions): Promise<Store> {
  const path = sqlitePath(options.url)
  if (path === null) {
    const { PostgresStore } = await import('./postgres/postgres-store.ts')
    const { assertOwnConnections } = await import('./postgres/pooling.ts')
    if (options.isServing === true) await assertOwnConnections(options.url, options.signal)
    await prepareSchema(options)
    return new PostgresStore(options)
  }
  return withFile(path, async () => {
    assertLocalFileSystem(path)
    assertWritable(path)
    const lock = options.isServing === true ? acquireServeLock(path) : null
    try {
      await prepareSchema(options)
      if (lock !== null) return openServedFile(path, lock, options)
      return new SqliteStore({ ...options, path, hadUncleanShutdown: false })
    } catch (error) {
      lock?.release(!lock.isStale)
      throw error
    }
  })
}

function openServedFile(path: string, lock: ServeLock, options: OpenOptions): SqliteStore {
  const lastChangeFile = new LastChangeFile(path, readLastChange(path))
  return new SqliteStore({
    ...options,
    path,
    hadUncleanShutdown: lock.isStale,
    onCommit: (lastChange) => lastChangeFile.update(lastChange),
    onClose: (isSound) => {
      lastChangeFile.close(isSound)
      lock.release(isSound)
    },
  })
}

/** Changes that a server had stored before it was killed, and that the file no longer has. In microseconds. */
interface LostChanges {
  readonly path: string
  readonly lastStored: number
  /** 0 if the file has none. */
  readonly lastFound: number
}

/** Null if nothing is missing, after a clean shutdown, and with PostgreSQL. Reads only. */
export async function findLostChanges(url: string): Promise<LostChanges | null> {
  const path = sqlitePath(url)
  if (path === null || !existsSync(path)) return null
  return withFile(path, async () => {
    assertLocalFileSystem(path)
    const lastStored = readRecordedChange(path)
    if (lastStored === null) return null
    assertOwnDatabase(path)
    const lastFound = readLastChange(path)
    return lastFound < lastStored ? { path, lastStored, lastFound } : null
  })
}

/** Reads the state of the schema without changing anything. */
export async function getSchemaState(url: string): Promise<SchemaState> {
  const path = sqlitePath(url)
  if (path !== null) await withFile(path, async () => assertOwnDatabase(path))
  return withSchemaConnection(url, schemaState, { canBeStandby: true })
}

export interface MigrateOptions extends Pick<ConnectionOptions, 'signal'> {
  /** The last migration to run; all of them where it is missing. */
  readonly last?: string | undefined
}

/** Migrates the schema, creating the database file where there is none. Returns the names of the migrations that ran. */
export async function migrateDatabase(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const path = sqlitePath(url)
  if (path === null) return migrateExisting(url, options)
  return withFile(path, async () => {
    assertLocalFileSystem(path)
    if (!existsSync(path)) return createDatabaseFile(path, (created) => migrateAndMark(created, options))
    assertOwnDatabase(path)
    return migrateAndMark(path, options)
  })
}

async function migrateAndMark(path: string, { last }: MigrateOptions): Promise<string[]> {
  const done = await migrateExisting(`sqlite:${path}`, { last })
  setApplicationId(path)
  return done
}

/** The absolute file path of a `sqlite:` URL; null for a PostgreSQL URL. */
export function sqlitePath(url: string): string | null {
  return url.startsWith('sqlite:') ? resolve(url.slice('sqlite:'.length)) : null
}

async function prepareSchema({ url, canCreate, signal }: OpenOptions): Promise<void> {
  if (canCreate) {
    await migrateDatabase(url, { signal })
    return
  }
  const { done, waiting } = await getSchemaState(url)
  assertKnownMigrations(done)
  if (waiting.length > 0)
    throw configurationError(
      `The database schema is outdated (it lacks ${waiting.join(', ')}). Run "dagsverk migrate" first, or start the server.`,
    )
}

function migrateExisting(url: string, { last, signal }: MigrateOptions): Promise<string[]> {
  const work = async (db: Kysely<unknown>, dialect: SqlDialect) => {
    const { done, waiting } = await schemaState(db, dialect)
    assertKnownMigrations(done)
    const run = waiting.length === 0 ? [] : await migrate(db, dialect, last)
    if (dialect === 'sqlite') await writePlannerStatistics(db)
    // The migrations changed a database that may hold data, and autovacuum would take a while.
    else if (done.length > 0 && run.length > 0) await sql`analyze`.execute(db)
    return run
  }
  return withSchemaConnection(url, work, { signal })
}

function assertKnownMigrations(names: readonly string[]): void {
  const problem = describeUnknownMigrations('The database', names)
  if (problem !== null) throw configurationError(problem)
}

async function withFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toUnusableFileError(error, path) ?? error
  }
}

/** Runs work on the schema over a separate connection. */
export async function withSchemaConnection<T>(
  url: string,
  work: (db: Kysely<unknown>, dialect: SqlDialect) => Promise<T>,
  options: ConnectionOptions = {},
): Promise<T> {
  const path = sqlitePath(url)
  const db = new Kysely<unknown>({ dialect: path === null ? await postgresDialect(url, options) : sqliteDialect(path) })
  try {
    return await work(db, path === null ? 'postgres' : 'sqlite')
  } finally {
    await db.destroy()
  }
}

function sqliteDialect(path: string) {
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  return new SqliteDialect({ database })
}

interface ConnectionOptions {
  /** Closes the connection to PostgreSQL. */
  readonly signal?: AbortSignal | undefined
  /** For work that changes nothing. */
  readonly canBeStandby?: boolean
}

async function postgresDialect(url: string, { signal, canBeStandby = false }: ConnectionOptions) {
  // A server on SQLite does not load the driver.
  const { openPool } = await import('./postgres/pool.ts')
  return new PostgresDialect({ pool: openPool(url, { max: 1, canBeStandby }, signal) })
}
