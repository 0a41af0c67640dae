// Archived tables: their columns and rows, independent of the kind of database.
import { sql } from 'kysely'
import type { SqlValue } from '../../engine/sql/dialect.ts'
import { statement, type Statement } from '../statement.ts'

export interface ArchivedTable {
  readonly name: string
  readonly columns: readonly string[]
  /** The last assigned number of a table with generated ids. */
  readonly sequence: number | null
}

export type ArchivedRow = readonly SqlValue[]

/** Rows of a chunk: few queries, and little memory. */
export const archiveChunkRows = 2_000

export interface Snapshot {
  /** Rows may refer to rows of a later table. */
  readonly tables: readonly ArchivedTable[]
  /** An estimate of the number of rows, to report progress. On SQLite it counts them, which blocks the thread. */
  estimateRows(): number
  rows(table: ArchivedTable): Iterable<readonly ArchivedRow[]> | AsyncIterable<readonly ArchivedRow[]>
  close(): Promise<void>
}

export function rowsStatement({ name, columns }: ArchivedTable): Statement<SqlValue[]> {
  return statement(() => sql`select ${sql.join(columns.map((one) => sql.id(one)))} from ${sql.id(name)}`)
}
