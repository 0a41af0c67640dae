// What became of a row that somebody wants stored.
import type { Detail } from '../errors/catalog.ts'

/** A record as it is stored, or the reason why the row was left out. */
export type Outcome<RecordType> = Stored<RecordType> | Refused

export interface Stored<RecordType> {
  readonly record: RecordType
  /** Made by this act: a key that was given out is not to be told by a dry run. */
  readonly isNew: boolean
  /** False when nothing was changed: the row says what is stored, or was applied before. */
  readonly isApplied: boolean
  /** The key of a new record was the caller's choice. */
  readonly isKeyGiven?: boolean
}

export interface Refused {
  readonly refused: Detail
}
