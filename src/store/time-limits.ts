// Time limits of the database for requests; commands have that of idle transactions alone.
import { ApiError } from '../errors/api-error.ts'

export interface TimeLimits {
  /** Until the first rows of a read, and from one chunk of a stream to the next. */
  readonly readMs: number
  /** For each statement of a write: 100,000 rows are one statement, and it may wait for a lock of another server. */
  readonly writeMs: number
  /** For a commit, which PostgreSQL itself lets wait for a synchronous standby without a limit. */
  readonly commitMs: number
  /** From one statement of a write to the next: PostgreSQL then ends the transaction, and its locks, of a machine that is gone. */
  readonly idleMs: number
}

/** ADR 0015, ADR 0057. */
export const requestTimeLimits: TimeLimits = { readMs: 10_000, writeMs: 30_000, commitMs: 10_000, idleMs: 15_000 }

/** Longer than any stream: PostgreSQL ends one that a machine which is gone was reading, and that keeps migrations waiting. */
export const streamIdleMs = 900_000

export function readTooCostlyError({ readMs }: TimeLimits): ApiError {
  return new ApiError('QueryTooExpensive', { params: { seconds: readMs / 1000 } })
}
