// Archived table: its columns and rows, independent of the kind of database.
import type { SqlValue } from '../../engine/sql/dialect.ts'

export interface ArchivedTable {
  readonly name: string
  readonly columns: readonly string[]
  /** The last assigned number of a table with generated ids. */
  readonly sequence: number | null
}

export type ArchivedRow = readonly SqlValue[]

/** Rows of a chunk: few queries, and little memory. */
export const archiveChunkRows = 2_000
