// A new database while an archive is read into it, and the names that both kinds of database need for it.
import { notRestorable, readArchive } from './archive.ts'
import type { ArchivedTable, Row } from './table.ts'

export interface Filling {
  clear(tables: readonly ArchivedTable[]): Promise<void> | void
  insert(table: ArchivedTable, rows: readonly Row[]): Promise<void> | void
  /** Once every row is there. */
  finish(tables: readonly ArchivedTable[]): Promise<void> | void
  close(): Promise<void> | void
}

/**
 * Reads the archive into the new database and says how many rows it has. Throws an `OperatorError` where a row
 * violates a constraint.
 */
export async function filled(
  filling: Filling,
  path: string,
  onProgress: (rows: number) => void,
): Promise<number> {
  let count = 0
  try {
    const { tables } = await readArchive(path, {
      head: (head) => filling.clear(head.tables),
      rows: async (table, rows) => {
        await filling.insert(table, rows)
        onProgress((count += rows.length))
      },
    })
    await filling.finish(tables)
    return count
  } catch (error) {
    throw notRestorable(path, error)
  } finally {
    await filling.close()
  }
}

/** Names come from an archive: whatever stands in them, they stay names. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** `20261121T123000Z` */
export function dated(at: number): string {
  return new Date(at / 1000).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')
}
