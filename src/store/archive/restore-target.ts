// Restore target: a new database while an archive is read into it, and helpers for both dialects.
import { toRestoreError, readArchive } from './archive.ts'
import type { ArchivedTable, ArchivedRow } from './table.ts'

export interface RestoreTarget {
  clear(tables: readonly ArchivedTable[]): Promise<void> | void
  insert(table: ArchivedTable, rows: readonly ArchivedRow[]): Promise<void> | void
  /** Called after the last row. */
  finish(tables: readonly ArchivedTable[]): Promise<void> | void
  close(): Promise<void> | void
}

/** Reads the archive into the new database and returns the number of rows. Throws an `OperatorError` where a row violates a constraint. */
export async function fillFromArchive(
  target: RestoreTarget,
  path: string,
  onProgress: (rows: number) => void,
): Promise<number> {
  let count = 0
  try {
    const { tables } = await readArchive(path, {
      head: (head) => target.clear(head.tables),
      rows: async (table, rows) => {
        await target.insert(table, rows)
        onProgress((count += rows.length))
      },
    })
    await target.finish(tables)
    return count
  } catch (error) {
    throw toRestoreError(path, error)
  } finally {
    await target.close()
  }
}

/** Quotes an identifier from an archive, which may contain any character. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** `20261121T123000Z` */
export function formatFileTime(at: number): string {
  return new Date(at / 1000).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')
}
