// SQLite database file: created atomically, and checked before it is opened.
import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import Database, { SqliteError } from 'better-sqlite3'
import { configurationError, type OperatorError } from '../../lib/operator-error.ts'
import { syncPath } from '../../journal/durable-files.ts'
import { getFileSystem } from './file-system.ts'

/** Throws an `OperatorError` (78) where `path` has no database of this program: no file, an empty one, or another database. Reads only. */
export function assertOwnDatabase(path: string): void {
  // Not `existsSync`: a file in a folder that may not be entered is not missing.
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined)
    throw configurationError(
      `There is no database at ${path}. Start the server or run "dagsverk migrate" to create one.`,
    )
  if (!found.isFile()) throw configurationError(`${path} is no file. Name another path.`)
  const { tables, mark } = readContent(path)
  if (mark !== 0 && mark !== applicationId) throw otherProgramError(path)
  if (tables.length === 0)
    throw configurationError(
      `${path} is empty: its content is lost. Restore a backup; to start with an empty database, delete the file.`,
    )
  if (mark === 0 && !(tables.includes('kysely_migration') && tables.includes('revenueLog')))
    throw otherProgramError(path)
}

/**
 * Throws an `OperatorError` (78) where `path` is on a network file system: locks are unreliable there, and two servers
 * would corrupt the file.
 */
export function assertLocalFileSystem(path: string): void {
  const { kind, name } = getFileSystem(path)
  if (kind === 'network')
    throw configurationError(
      `${path} is on a network file system (${name}), where SQLite is not safe. Move it to a local disk, or use PostgreSQL.`,
    )
}

/** Writes the application id into the header of the file. */
export function setApplicationId(path: string): void {
  const database = new Database(path, { fileMustExist: true })
  try {
    if (database.pragma('application_id', { simple: true }) !== applicationId)
      database.pragma(`application_id = ${applicationId}`)
  } finally {
    database.close()
  }
}

/**
 * Creates the file under a temporary name, calls `fill`, and links it to `path`, so that a kill never leaves an incomplete
 * database. Where another process has created the file meanwhile, that one stays.
 */
export async function createDatabaseFile<T>(path: string, fill: (path: string) => Promise<T>): Promise<T> {
  mkdirSync(dirname(path), { recursive: true })
  const folder = mkdtempSync(`${path}.new-`)
  try {
    const made = join(folder, 'made.db')
    const result = await fill(made)
    setLogAside(path)
    try {
      linkSync(made, path)
    } catch (error) {
      if (!existsSync(path)) throw error
    }
    await syncPath(dirname(path))
    return result
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The write-ahead log of a database that is missing would be replayed into the new one. */
function setLogAside(path: string): void {
  if (!existsSync(path) && existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${path}-wal.lost`)
}

/** The error that tells an operator what to do about a file that SQLite cannot open; null for any other error. */
export function toUnusableFileError(error: unknown, path: string): OperatorError | null {
  if (!(error instanceof SqliteError)) return null
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(error.code))
    return configurationError(`${path} is damaged, or is no database. Restore a backup.`)
  if (/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/.test(error.code)) return notWritableError(path)
  return null
}

/** Throws an `OperatorError` (78) where this user may only read the file. SQLite would open it all the same. */
export function assertWritable(path: string): void {
  try {
    if (existsSync(path)) accessSync(path, constants.W_OK)
  } catch {
    throw notWritableError(path)
  }
}

function notWritableError(path: string): OperatorError {
  return configurationError(
    `${path} cannot be opened for writing. Check the owner and permissions of it and its folder.`,
  )
}

/** `mark` is SQLite's `application_id`; 0 where none was set. */
function readContent(path: string) {
  const database = new Database(path, { readonly: true, fileMustExist: true })
  try {
    const tables = database.prepare<[], string>("select name from sqlite_master where type = 'table'").pluck().all()
    return { tables, mark: Number(database.pragma('application_id', { simple: true })) }
  } finally {
    database.close()
  }
}

/** The letters `Dags`. */
const applicationId = 0x44616773

function otherProgramError(path: string): OperatorError {
  return configurationError(`${path} is the database of another program. Name another path.`)
}
