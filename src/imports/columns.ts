// Maps the columns of a table to fields: by header in both languages, or by an explicit mapping.
import {
  findField,
  findSuggestion,
  normalizeHeader,
  requireField,
  truncateHeader,
  unreadableFileError,
  type ImportableField,
} from './field-names.ts'
import { errorHeaders } from '../model/import-headers.ts'
import type { Resource } from '../engine/model/resource.ts'
import type { MappedColumn } from '../engine/formats/read/table-row-binder.ts'

/** A mapped column: its index, header and field. */
export interface ImportColumn extends MappedColumn {
  readonly header: string
  /** The internal name of the field. */
  readonly name: string
}

export interface ImportColumns {
  readonly read: readonly ImportColumn[]
  /** Headers of unmapped columns. */
  readonly ignored: readonly string[]
}

/** A resource and the columns that its import requires. */
export interface Importable {
  readonly resource: Resource
  /** Internal field names: a table must have a column for at least one field of each group. */
  readonly needs: readonly (readonly string[])[]
}

/**
 * The columns of a table. `mapping` maps headers to fields, by public name or usual header, or to null to ignore the
 * column. Throws `UnreadableFile` when two columns map to one field, a required one is missing, or `mapping` has an
 * unknown name.
 */
export function mapColumns(
  importable: Importable,
  headers: readonly string[],
  mapping: ReadonlyMap<string, string | null> = new Map(),
): ImportColumns {
  const { resource } = importable
  const specifiedBy = new Map([...mapping].map(([header, field]) => [normalizeHeader(header), field]))
  for (const header of mapping.keys())
    if (!headers.some((one) => normalizeHeader(one) === normalizeHeader(header)))
      throw unreadableFileError('noSuchColumn', { name: header }, findSuggestion(header, headers))
  const named = headers.map((header) => {
    const specified = specifiedBy.get(normalizeHeader(header))
    if (specified === undefined) return findField(resource, header)
    return specified === null ? undefined : requireField(resource, specified)
  })
  return buildColumns(importable, headers, named)
}

/** The columns by an explicit list: the public name of each column's field, or '' to ignore it. */
export function mapColumnsInOrder(
  importable: Importable,
  headers: readonly string[],
  names: readonly string[],
): ImportColumns {
  const named = headers.map((_, index) => (names[index] ? requireField(importable.resource, names[index]) : undefined))
  return buildColumns(importable, headers, named)
}

/** The public field name that each header suggests; null for unknown and repeated ones. */
export function suggestFields({ resource }: Importable, headers: readonly string[]): (string | null)[] {
  const seen = new Set<string>()
  return headers.map((header) => {
    const found = findField(resource, header)
    if (found === undefined || seen.has(found.name)) return null
    seen.add(found.name)
    return found.field.wire
  })
}

function buildColumns(
  importable: Importable,
  headers: readonly string[],
  named: readonly (ImportableField | undefined)[],
): ImportColumns {
  const { resource } = importable
  const read: ImportColumn[] = []
  const ignored: string[] = []
  headers.forEach((header, index) => {
    const found = named[index]
    if (found === undefined) {
      if (header !== '' && !isErrorColumn(header)) ignored.push(header)
      return
    }
    const { name, field } = found
    read.push({ index, header, name, field, isKey: resource.key.includes(name) })
  })
  rejectDuplicateColumns(read)
  requireColumns(importable, read, headers)
  return { read, ignored }
}

/** Whether the column is one that an error file adds. */
export function isErrorColumn(header: string): boolean {
  return Object.values(errorHeaders).some((names) => names.some((name) => name === header))
}

function rejectDuplicateColumns(columns: readonly ImportColumn[]): void {
  for (const [, [one, other]] of Map.groupBy(columns, ({ name }) => name))
    if (one !== undefined && other !== undefined)
      throw unreadableFileError('fieldMappedTwice', {
        one: truncateHeader(one.header),
        other: truncateHeader(other.header),
        field: one.field.wire,
      })
}

/** Throws when a required column is missing. */
function requireColumns(
  { resource, needs }: Importable,
  columns: readonly ImportColumn[],
  headers: readonly string[],
): void {
  const lacking = needs.find((group) => !columns.some(({ name }) => group.includes(name)))
  if (lacking === undefined) return
  const [field = '', other] = lacking.map((name) => resource.fields[name]?.wire ?? name)
  const there = headers.slice(0, 20).map(truncateHeader).join(', ')
  throw other === undefined
    ? unreadableFileError('fieldNotMapped', { field, columns: there })
    : unreadableFileError('keyNotMapped', { key: field, other, columns: there })
}
