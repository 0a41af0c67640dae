// How long the database may work for a caller; commands and migrations take the time they need.
import { Fault } from '../errors/catalog.ts'

export interface TimeLimits {
  /** Up to the first rows of a read, and from each piece of a stream to the next. */
  readonly readMs: number
  /** For each statement of an act: one list of 100,000 rows is one statement, and another server's may go first. */
  readonly actMs: number
}

/** ADR 0125. */
export const callerLimits: TimeLimits = { readMs: 10_000, actMs: 30_000 }

export function tooCostly({ readMs }: TimeLimits): Fault {
  return new Fault('ReadTooCostly', { says: { seconds: readMs / 1000 } })
}
