// The file of a SQLite database before it is opened for work: made whole or not at all, and never taken for another.
import { existsSync, linkSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database, { SqliteError } from 'better-sqlite3'
import { exitCodes, OperatorError } from '#lib/operator-error.ts'

/**
 * Throws an `OperatorError` (78) where there is no database of ours at `path`: no file, an empty one, or
 * somebody else's. The file is only looked at.
 */
export const refuseOtherFile = (path: string): void => {
  if (!existsSync(path))
    throw refused(
      `There is no database at ${path}. Start the server or run "dagsverk migrate" to make one.`,
    )
  if (!statSync(path).isFile()) throw refused(`${path} is no file. Name another place.`)
  const tables = tablesOf(path)
  if (tables.length === 0)
    throw refused(
      `${path} is empty: whatever it held is not there. Put a backup in its place; to begin with nothing, delete it.`,
    )
  if (!tables.includes('kysely_migration'))
    throw refused(`${path} is the database of another program. Name another place.`)
}

/**
 * Makes the file by giving it to `fill` under another name first, so that no kill can leave half a
 * database at `path`. Where another process was quicker, its file stays.
 */
export const makeFile = async <T>(path: string, fill: (path: string) => Promise<T>): Promise<T> => {
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
export const unusableFile = (error: unknown, path: string): OperatorError | null => {
  if (!(error instanceof SqliteError)) return null
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(error.code))
    return refused(`${path} is damaged or no database. Put a backup in its place.`)
  if (/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/.test(error.code))
    return refused(`${path} cannot be opened for writing. Look at whose it is.`)
  return null
}

const tablesOf = (path: string): string[] => {
  const database = new Database(path, { readonly: true, fileMustExist: true })
  try {
    return database
      .prepare<[], { name: string }>("select name from sqlite_master where type = 'table'")
      .all()
      .map(({ name }) => name)
  } finally {
    database.close()
  }
}

const refused = (message: string): OperatorError =>
  new OperatorError(message, exitCodes.configuration)
