// The result of writing one row.
import type { ErrorDetail } from '../errors/api-error.ts'

/** The stored record, or the reason why the row was rejected. */
export type WriteOutcome<RecordType> = StoredOutcome<RecordType> | RejectedOutcome

export interface StoredOutcome<RecordType> {
  readonly record: RecordType
  /** Inserted by this write: a dry run must not report the generated key. */
  readonly isNew: boolean
  /** False if nothing changed: the row equals the stored record, or was applied before. */
  readonly isApplied: boolean
  /** The client chose the key of the new record. */
  readonly isKeyGiven?: boolean
}

export interface RejectedOutcome {
  readonly problem: ErrorDetail
}
