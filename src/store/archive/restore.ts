// Puts a backup in the place of a database, which is kept under a dated name.
import { sql } from 'kysely'
import { exitCodes, OperatorError } from '#lib/operator-error.ts'
import { readArchive, type ArchiveHead } from '#store/archive/archive.ts'
import { sqlitePath, withAdministration } from '#store/open-store.ts'
import { migrations } from '#store/migrations/list.ts'
import { restoreFile } from '#store/archive/restore-file.ts'
import { restorePostgres } from '#store/archive/restore-postgres.ts'

export interface RestoreOptions {
  readonly url: string
  readonly path: string
  /** Microseconds since 1970. */
  readonly at: number
  /** How many rows are there, of how many. */
  readonly onProgress: (rows: number, of: number) => void
}

/** What a backup was found to hold. */
export interface Found {
  readonly head: ArchiveHead
  readonly total: number
}

export interface Restored {
  readonly head: ArchiveHead
  readonly rows: number
  /** Where the database that stood there is kept; null where there was none. */
  readonly kept: string | null
}

/**
 * Reads the backup whole before anything is touched, fills a new database from it, and only then puts that in
 * the place of the old one. Throws an `OperatorError` where a server runs on the database, where the backup is
 * damaged, or where a newer program made it.
 */
export const restore = async (options: RestoreOptions): Promise<Restored> => {
  let total = 0
  const head = await readArchive(options.path, {
    rows: (_table, rows) => void (total += rows.length),
  })
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = head.migrations.filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw new OperatorError(
      `${options.path} was made by ${head.version}, which knows ${unknown.join(', ')}. Restore it with that version or a newer one.`,
      exitCodes.configuration,
    )
  const file = sqlitePath(options.url)
  const found = { head, total }
  return file === null ? restorePostgres(options, found) : restoreFile(file, options, found)
}

/** Nobody knows what was exported after the backup was made: exports wait until the journal or a person says. */
export const holdExports = (url: string, at: number): Promise<void> =>
  withAdministration(url, async (db) => {
    await sql`insert into setting (name, value) values ('exportsHeld', ${String(at)})
      on conflict (name) do update set value = excluded.value`.execute(db)
  })
