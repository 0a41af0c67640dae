// Opens a database by its address, checks its schema, and makes it where that is asked for.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import { exitCodes, OperatorError } from '../lib/operator-error.ts'
import { writeStatistics } from './migrations/statistics.ts'
import { migrate, schemaState, type SchemaState } from './migrations/migrate.ts'
import { openPool } from './postgres/pool.ts'
import { PostgresStore } from './postgres/postgres-store.ts'
import {
  makeFile,
  markAsOurs,
  refuseNetworkFolder,
  refuseOtherFile,
  unusableFile,
} from './sqlite/database-file.ts'
import { addFunctions } from './sqlite/functions.ts'
import { lockForServing } from './sqlite/serve-lock.ts'
import { SqliteStore } from './sqlite/sqlite-store.ts'
import type { DialectName } from '../engine/sql/dialect.ts'
import type { Store } from './store.ts'
import type { TimeLimits } from './time-limits.ts'

export interface OpenOptions {
  /** `sqlite:PATH` or `postgres://…`. */
  readonly url: string
  /** Make the database where there is none and bring its schema up to date; only serve, migrate and restore do. */
  readonly isCreating: boolean
  /** Keep every other server away from the file; PostgreSQL takes several. */
  readonly isServing?: boolean
  readonly connectionsMax?: number
  readonly onStorageError?: (error: unknown) => void
  readonly isGrouping?: boolean
  /** None unless given: commands take the time they need. */
  readonly timeLimits?: TimeLimits
  /** Closes every connection to PostgreSQL, also while the store is being opened. */
  readonly signal?: AbortSignal
}

/**
 * Opens the store. Throws an `OperatorError` that says what to do when there is no database, when its
 * schema is behind (and this command may not change it), when a newer program has used it, or when
 * another server has it.
 */
export async function openStore(options: OpenOptions): Promise<Store> {
  const path = sqlitePath(options.url)
  if (path === null) {
    await prepareSchema(options)
    return new PostgresStore(options)
  }
  return withFile(path, async () => {
    refuseNetworkFolder(path)
    const lock = options.isServing === true ? lockForServing(path) : null
    const isSuspect = lock?.isLeftOver ?? false
    try {
      await prepareSchema(options)
      const onClose = (isSound: boolean) => lock?.release(isSound)
      return new SqliteStore({ ...options, path, isSuspect, onClose })
    } catch (error) {
      lock?.release(!isSuspect)
      throw error
    }
  })
}

/** The schema's state without changing anything. */
export async function inspectSchema(url: string): Promise<SchemaState> {
  await refuseOther(url)
  return withAdministration(url, schemaState)
}

/**
 * Brings the schema up to date, or to the migration `last`, making the database file where there is none; names
 * what was run.
 */
export async function migrateDatabase(
  url: string,
  last?: string,
  signal?: AbortSignal,
): Promise<string[]> {
  const path = sqlitePath(url)
  return path === null
    ? migrateWhatIsThere(url, last, signal)
    : withFile(path, () => migrateFile(path, last))
}

async function migrateFile(path: string, last?: string): Promise<string[]> {
  refuseNetworkFolder(path)
  if (!existsSync(path)) return makeFile(path, (made) => migrateAndMark(made, last))
  refuseOtherFile(path)
  return migrateAndMark(path, last)
}

async function migrateAndMark(path: string, last?: string): Promise<string[]> {
  const done = await migrateWhatIsThere(`sqlite:${path}`, last)
  markAsOurs(path)
  return done
}

/** The file of a `sqlite:` address, absolute; null for a server's address. */
export function sqlitePath(url: string): string | null {
  return url.startsWith('sqlite:') ? resolve(url.slice('sqlite:'.length)) : null
}

async function prepareSchema({ url, isCreating, signal }: OpenOptions): Promise<void> {
  if (isCreating) {
    await migrateDatabase(url, undefined, signal)
    return
  }
  const { waiting, unknown } = await inspectSchema(url)
  refuseNewer(unknown)
  if (waiting.length > 0)
    throw new OperatorError(
      `The database lacks ${waiting.join(', ')}. Run "dagsverk migrate" first, or start the server.`,
      exitCodes.configuration,
    )
}

function migrateWhatIsThere(url: string, last?: string, signal?: AbortSignal): Promise<string[]> {
  const work = async (db: Kysely<unknown>, dialect: DialectName) => {
    const { done, waiting, unknown } = await schemaState(db, dialect)
    refuseNewer(unknown)
    const run = waiting.length === 0 ? [] : await migrate(db, dialect, last)
    await writeStatistics(db, dialect, done.length > 0 && run.length > 0)
    return run
  }
  return withAdministration(url, work, signal)
}

function refuseNewer(unknown: readonly string[]): void {
  if (unknown.length > 0)
    throw new OperatorError(
      `The database was used by a newer dagsverk (it has ${unknown.join(', ')}). Run that version or a newer one.`,
      exitCodes.configuration,
    )
}

async function refuseOther(url: string): Promise<void> {
  const path = sqlitePath(url)
  if (path !== null) await withFile(path, async () => refuseOtherFile(path))
}

async function withFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw unusableFile(error, path) ?? error
  }
}

/** Works on the schema itself, over one connection of its own. */
export async function withAdministration<T>(
  url: string,
  work: (db: Kysely<unknown>, dialect: DialectName) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const path = sqlitePath(url)
  const db = new Kysely<unknown>({
    dialect: path === null ? postgresDialect(url, signal) : sqliteDialect(path),
  })
  try {
    return await work(db, path === null ? 'postgres' : 'sqlite')
  } finally {
    await db.destroy()
  }
}

function sqliteDialect(path: string) {
  const database = new Database(path)
  addFunctions(database)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  return new SqliteDialect({ database })
}

function postgresDialect(url: string, signal?: AbortSignal) {
  return new PostgresDialect({ pool: openPool(url, { max: 1 }, signal) })
}
