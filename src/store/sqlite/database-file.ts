// The file of a SQLite database before it is opened for work: made whole or not at all, and never taken for another.
import { existsSync, linkSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database, { SqliteError } from 'better-sqlite3'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import { fileSystemOf } from './file-system.ts'

/**
 * Throws an `OperatorError` (78) where there is no database of ours at `path`: no file, an empty one, or
 * somebody else's. The file is only looked at.
 */
export function refuseOtherFile(path: string): void {
  if (!existsSync(path))
    throw refused(
      `There is no database at ${path}. Start the server or run "dagsverk migrate" to make one.`,
    )
  if (!statSync(path).isFile()) throw refused(`${path} is no file. Name another place.`)
  const { tables, mark } = contentOf(path)
  if (mark !== 0 && mark !== ourMark) throw another(path)
  if (tables.length === 0)
    throw refused(
      `${path} is empty: whatever it held is not there. Put a backup in its place; to begin with nothing, delete it.`,
    )
  if (mark === 0 && !(tables.includes('kysely_migration') && tables.includes('revenueLog')))
    throw another(path)
}

/**
 * Throws an `OperatorError` (78) where `path` lies on a file system of a network: locks do not hold there, and two
 * servers would write into one another's work.
 */
export function refuseNetworkFolder(path: string): void {
  const { reach, name } = fileSystemOf(path)
  if (reach === 'network')
    throw refused(
      `${path} is on a network file system (${name}), where SQLite cannot be relied on. Put it on a local disk, or use PostgreSQL.`,
    )
}

/** Writes into the header of the file whose it is, for programs that look at files. */
export function markAsOurs(path: string): void {
  const database = new Database(path, { fileMustExist: true })
  try {
    if (database.pragma('application_id', { simple: true }) !== ourMark)
      database.pragma(`application_id = ${ourMark}`)
  } finally {
    database.close()
  }
}

/**
 * Makes the file by giving it to `fill` under another name first, so that no kill can leave half a
 * database at `path`. Where another process was quicker, its file stays.
 */
export async function makeFile<T>(path: string, fill: (path: string) => Promise<T>): Promise<T> {
  mkdirSync(dirname(path), { recursive: true })
  const folder = mkdtempSync(`${path}.new-`)
  try {
    const made = join(folder, 'made.db')
    const result = await fill(made)
    try {
      linkSync(made, path)
    } catch (error) {
      if (!existsSync(path)) throw error
    }
    return result
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What an operator can do about a file that SQLite will not take; `null` for any other error. */
export function unusableFile(error: unknown, path: string): OperatorError | null {
  if (!(error instanceof SqliteError)) return null
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(error.code))
    return refused(`${path} is damaged or no database. Put a backup in its place.`)
  if (/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/.test(error.code))
    return refused(`${path} cannot be opened for writing. Look at whose it is.`)
  return null
}

interface Content {
  readonly tables: readonly string[]
  /** SQLite's `application_id`; 0 where nobody wrote one. */
  readonly mark: number
}

function contentOf(path: string): Content {
  const database = new Database(path, { readonly: true, fileMustExist: true })
  try {
    const tables = database
      .prepare<[], string>("select name from sqlite_master where type = 'table'")
      .pluck()
      .all()
    return { tables, mark: Number(database.pragma('application_id', { simple: true })) }
  } finally {
    database.close()
  }
}

/** The letters `Dags`. */
const ourMark = 0x44616773

function another(path: string): OperatorError {
  return refused(`${path} is the database of another program. Name another place.`)
}

function refused(message: string): OperatorError {
  return new OperatorError(message, exitCodes.configuration)
}
