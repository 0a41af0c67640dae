// Restore target: a new database, how it is filled from an archive, and the types of a restore.
import { toRestoreError, readArchive, type ArchiveHead } from './archive.ts'
import type { ArchivedTable, ArchivedRow } from './table.ts'
import { migrateDatabase } from '../open-store.ts'

export interface RestoreOptions {
  readonly url: string
  readonly path: string
  /** Microseconds since 1970. */
  readonly at: number
  /** Called with the number of restored rows, and the total. */
  readonly onProgress: (rows: number, of: number) => void
  /** Calls `cleanUp` if a signal ends the command before the end. */
  readonly onInterrupt?: ((cleanUp: () => void) => void) | undefined
}

export interface BackupContent {
  readonly head: ArchiveHead
  readonly total: number
}

export interface RestoreResult {
  readonly head: ArchiveHead
  readonly rows: number
  /** The name under which the replaced database is kept; null where there was none. */
  readonly kept: string | null
}

export interface RestoreTarget {
  clear(tables: readonly ArchivedTable[]): Promise<void> | void
  insert(table: ArchivedTable, rows: readonly ArchivedRow[]): Promise<void> | void
  /** Called after the last row. */
  finish(tables: readonly ArchivedTable[]): Promise<void> | void
  close(): Promise<void> | void
}

/**
 * Restores the backup into an empty database, which `open` opens once it has the schema of the backup, migrates it to the current
 * schema, and returns the number of rows. Throws an `OperatorError` where a row violates a constraint.
 */
export async function fillDatabase(
  url: string,
  open: () => Promise<RestoreTarget> | RestoreTarget,
  { path, onProgress }: Pick<RestoreOptions, 'path' | 'onProgress'>,
  { head, total }: BackupContent,
): Promise<number> {
  await migrateDatabase(url, { last: head.migrations.at(-1) })
  const target = await open()
  let count = 0
  try {
    await target.clear(head.tables)
    await readArchive(path, async (table, rows) => {
      await target.insert(table, rows)
      onProgress((count += rows.length), total)
    })
    await target.finish(head.tables)
  } catch (error) {
    throw toRestoreError(path, error)
  } finally {
    await target.close()
  }
  await migrateDatabase(url)
  return count
}

/** Quotes an identifier from an archive, which may contain any character. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** `20261121T123000Z` */
export function formatFileTime(at: number): string {
  return new Date(at / 1000).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')
}
