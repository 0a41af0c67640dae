// Restores a backup in place of a database, which is kept under a name with the date.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configurationError } from '../../lib/operator-error.ts'
import { readArchive } from './archive.ts'
import { sqlitePath } from '../open-store.ts'
import { describeUnknownMigrations } from '../migrations/list.ts'
import { openFile, restoreFile } from './restore-file.ts'
import { restorePostgres, tryRestorePostgres } from './restore-postgres.ts'
import { fillDatabase, type BackupContent, type RestoreResult, type RestoreOptions } from './restore-target.ts'

/**
 * Reads the whole backup before it changes anything, fills a new database from it, and then replaces the old one. Throws
 * an `OperatorError` where a server runs on the database, where the backup is damaged, or where a newer version created
 * it.
 */
export async function restore(options: RestoreOptions): Promise<RestoreResult> {
  const found = await readBackup(options.path)
  const file = sqlitePath(options.url)
  return file === null ? restorePostgres(options, found) : restoreFile(file, options, found)
}

export interface VerifiedBackup extends BackupContent {
  /** Why it was not restored into PostgreSQL; null if it was. */
  readonly postgresSkipped: string | null
}

/**
 * Restores a backup into a temporary SQLite file, and into a schema of its own if `url` is that of a PostgreSQL database;
 * deletes both. Throws an `OperatorError` as `restore` does.
 */
export async function verifyBackup(options: Omit<RestoreOptions, 'at'>): Promise<VerifiedBackup> {
  const found = await readBackup(options.path)
  const folder = mkdtempSync(join(tmpdir(), 'dagsverk-verify-'))
  const deleteFolder = () => rmSync(folder, { recursive: true, force: true })
  options.onInterrupt?.(deleteFolder)
  try {
    const file = join(folder, 'tried.db')
    await fillDatabase(`sqlite:${file}`, () => openFile(file), options, found)
  } finally {
    deleteFolder()
  }
  const isPostgres = sqlitePath(options.url) === null
  return { ...found, postgresSkipped: isPostgres ? await tryRestorePostgres(options, found) : 'none is configured' }
}

/** Reads the backup from beginning to end, without a database. */
async function readBackup(path: string): Promise<BackupContent> {
  let total = 0
  const head = await readArchive(path, (_table, rows) => void (total += rows.length))
  const problem = describeUnknownMigrations(`${path}, a backup of version ${head.version},`, head.migrations)
  if (problem !== null) throw configurationError(problem)
  return { head, total }
}
