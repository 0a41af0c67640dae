// Time limits of the database for requests; commands and migrations have none.
import { Fault } from '../errors/catalog.ts'

export interface TimeLimits {
  /** Until the first rows of a read, and from one chunk of a stream to the next. */
  readonly readMs: number
  /** For each statement of a write: 100,000 rows are one statement, and it may wait for a lock of another server. */
  readonly actMs: number
}

/** ADR 0125. */
export const callerLimits: TimeLimits = { readMs: 10_000, actMs: 30_000 }

export function tooCostly({ readMs }: TimeLimits): Fault {
  return new Fault('ReadTooCostly', { says: { seconds: readMs / 1000 } })
}
