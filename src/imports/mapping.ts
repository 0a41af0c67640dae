// What the columns of a file mean, kept under a name and found again for the next file with the same headers.
import { fieldNamed, isOurs, plainName, type Importable } from './columns.ts'
import type { ImportMapping } from '../store/imports/import-mappings.ts'

/** A header of the file, and the field that it means on the wire; '' for a column that is left out. */
type MappedColumn = readonly [header: string, field: string]

/** A mapping as it is laid on the columns of one file. */
export interface FittedMapping {
  readonly name: string
  /** For each column of the file, on the wire; null for one that is left out. */
  readonly fields: readonly (string | null)[]
  /** The file has the headers that it was saved for, in any order, and no other. */
  readonly isFitting: boolean
}

export function mappingText(headers: readonly string[], fields: readonly string[]): string {
  return JSON.stringify(headers.map((header, index): MappedColumn => [header, fields[index] ?? '']))
}

export function mappedColumns({ columns }: Pick<ImportMapping, 'columns'>): MappedColumn[] {
  return JSON.parse(columns)
}

/** Columns that an error file adds count for nothing: it is the same file, repaired. */
export function fittedMapping(
  importable: Importable,
  mapping: Pick<ImportMapping, 'name' | 'columns'>,
  headers: readonly string[],
): FittedMapping {
  const left = mappedColumns(mapping)
  let isFitting = true
  const fields = headers.map((header) => {
    const at = left.findIndex(([saved]) => plainName(saved) === plainName(header))
    const [column] = at === -1 ? [] : left.splice(at, 1)
    if (column === undefined && !isOurs(header)) isFitting = false
    // A field that is gone since means nothing.
    const field = column === undefined ? undefined : fieldNamed(importable, column[1])
    return field ?? null
  })
  return {
    name: mapping.name,
    fields,
    isFitting: isFitting && left.every(([header]) => isOurs(header)),
  }
}
