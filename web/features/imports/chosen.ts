// The file that is imported.
import type { FileColumns } from './api.ts'

/** A file, or what was pasted, with its columns as the server reads them. */
export interface Chosen {
  readonly file: Blob
  readonly name: string
  readonly columns: FileColumns
}
