// A new database while an archive is read into it, and the names that both kinds of database need for it.
import { readArchive } from '#store/archive/archive.ts'
import type { ArchivedTable, Row } from '#store/archive/table.ts'

export interface Filling {
  clear(tables: readonly ArchivedTable[]): Promise<void> | void
  insert(table: ArchivedTable, rows: readonly Row[]): Promise<void> | void
  /** Once every row is there. */
  finish(tables: readonly ArchivedTable[]): Promise<void> | void
  close(): Promise<void> | void
}

/** Reads the archive into the new database and says how many rows it has. */
export const filled = async (
  filling: Filling,
  path: string,
  onProgress: (rows: number) => void,
): Promise<number> => {
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
  } finally {
    await filling.close()
  }
}

/** Names come from an archive: whatever stands in them, they stay names. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** `20261121T123000Z` */
export const dated = (at: number): string =>
  new Date(at / 1000).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')
