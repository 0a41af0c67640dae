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

/**
 * Receives the outcomes of the rows from `start` on, chunk by chunk, in their order. From 0 on once more, where later rows
 * changed records of earlier ones.
 */
export type ReceiveOutcomes<RecordType> = (
  outcomes: readonly WriteOutcome<RecordType>[],
  start: number,
) => void | Promise<void>
