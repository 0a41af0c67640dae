// What an act on the directory is given, row by row, and what it answers, row by row.
import type { Deed } from '../auth/action-context.ts'
import type { Outcome } from '../model/outcome.ts'
import type { RecordKey } from '../engine/model/resource.ts'
import type { StoredRecord } from '../store/directory/directory-records.ts'
import type { Transaction } from '../store/store.ts'

/** A row that was read without complaint, and where it stood: `[3]`, or '' for a single object. */
export interface DirectoryRow {
  readonly place: string
  /** By house name; a field that was not sent is missing. */
  readonly values: Readonly<Record<string, string | number | boolean | null | undefined>>
}

/** A row that is known by its key, which was given out where the row has none. */
export interface KeyedRow extends DirectoryRow {
  readonly key: RecordKey
  readonly isKeyGiven: boolean
}

/** Applies every row it can; whether the others undo it all is the caller's decision (ADR 0007). */
export type DirectoryAct = (
  transaction: Transaction,
  rows: readonly DirectoryRow[],
  deed: Pick<Deed, 'now'>,
) => Promise<readonly Outcome<StoredRecord>[]>

/** How a record is spoken of in refusals. */
export function nameOf({ wire }: { readonly wire: string }, key: RecordKey): string {
  return `${wire}(${key})`
}
