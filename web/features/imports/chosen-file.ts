import type { FileColumns } from '../../../src/app/contract/imports.ts'
// The file to import.

/** A file or pasted text, with its columns as parsed by the server. */
export interface ChosenFile {
  readonly file: Blob
  readonly name: string
  readonly columns: FileColumns
}
