// Saved column mappings, applied to later files with the same headers.
import { isErrorColumn, type Importable } from './columns.ts'
import { findField, normalizeHeader } from './field-names.ts'
import type { ImportMapping } from '../store/imports/import-mappings.ts'

/** A header of the file and the public name of its field; '' for an ignored column. */
type HeaderMapping = readonly [header: string, field: string]

/** A mapping applied to the columns of one file. */
export interface AppliedMapping {
  readonly name: string
  /** The public field name of each column; null for an ignored one. */
  readonly fields: readonly (string | null)[]
  /** Whether the file has exactly the headers of the mapping, in any order. */
  readonly isFitting: boolean
}

export function serializeMapping(headers: readonly string[], fields: readonly string[]): string {
  return JSON.stringify(headers.map((header, index): HeaderMapping => [header, fields[index] ?? '']))
}

export function parseMapping({ columns }: Pick<ImportMapping, 'columns'>): HeaderMapping[] {
  return JSON.parse(columns)
}

/** Columns added by an error file are ignored: it is the same file, corrected. */
export function applyMapping(
  importable: Importable,
  mapping: Pick<ImportMapping, 'name' | 'columns'>,
  headers: readonly string[],
): AppliedMapping {
  const left = parseMapping(mapping)
  let isFitting = true
  const fields = headers.map((header) => {
    const at = left.findIndex(([saved]) => normalizeHeader(saved) === normalizeHeader(header))
    const [column] = at === -1 ? [] : left.splice(at, 1)
    if (column === undefined && !isErrorColumn(header)) isFitting = false
    // The field may no longer exist.
    return column === undefined ? null : (findField(importable.resource, column[1])?.field.wire ?? null)
  })
  return { name: mapping.name, fields, isFitting: isFitting && left.every(([header]) => isErrorColumn(header)) }
}
