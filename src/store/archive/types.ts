// Types of a restore.
import type { ArchiveHead } from './archive.ts'

export interface RestoreOptions {
  readonly url: string
  readonly path: string
  /** Microseconds since 1970. */
  readonly at: number
  /** Called with the number of restored rows, and the total. */
  readonly onProgress: (rows: number, of: number) => void
  /** Calls `cleanUp` if a signal ends the command before the end. */
  readonly onInterrupt?: ((cleanUp: () => void) => void) | undefined
}

export interface BackupContent {
  readonly head: ArchiveHead
  readonly total: number
}

export interface RestoreResult {
  readonly head: ArchiveHead
  readonly rows: number
  /** The name under which the replaced database is kept; null where there was none. */
  readonly kept: string | null
}
