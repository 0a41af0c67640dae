// The file to import.
import type { FileColumns } from './api.ts'

/** A file or pasted text, with its columns as parsed by the server. */
export interface ChosenFile {
  readonly file: Blob
  readonly name: string
  readonly columns: FileColumns
}
