// What a restore is given, and what it found and did.
import type { ArchiveHead } from './archive.ts'

export interface RestoreOptions {
  readonly url: string
  readonly path: string
  /** Microseconds since 1970. */
  readonly at: number
  /** How many rows are there, of how many. */
  readonly onProgress: (rows: number, of: number) => void
}

/** What a backup was found to hold. */
export interface Found {
  readonly head: ArchiveHead
  readonly total: number
}

export interface Restored {
  readonly head: ArchiveHead
  readonly rows: number
  /** Where the database that stood there is kept; null where there was none. */
  readonly kept: string | null
}
