// What an archive holds of a table, whichever database it stood in.
import type { SqlValue } from '../../engine/sql/dialect.ts'

export interface ArchivedTable {
  readonly name: string
  readonly columns: readonly string[]
  /** The last number that was given out, for a table whose ids count up. */
  readonly sequence: number | null
}

export type Row = readonly SqlValue[]

/** Rows travel in batches, so that a database is asked seldom and memory stays small. */
export const batchRows = 2_000
