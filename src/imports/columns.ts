// Maps the columns of a table to fields: by header in both languages, or by an explicit mapping.
import { Fault } from '../errors/catalog.ts'
import { nearest } from '../lib/closest-match.ts'
import { errorHeaders, headersOf } from '../model/import-headers.ts'
import type { Field, Resource } from '../engine/model/resource.ts'
import { phrase, type Phrase, type Says } from '../errors/messages.ts'
import type { FieldColumn } from '../engine/formats/csv/cell-rows.ts'

/** A mapped column: its index, header and field. */
export interface ImportColumn extends FieldColumn {
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
export function columnsOf(
  importable: Importable,
  headers: readonly string[],
  told: ReadonlyMap<string, string | null> = new Map(),
): ImportColumns {
  const { resource } = importable
  const saidOf = new Map([...told].map(([header, field]) => [plainName(header), field]))
  for (const header of told.keys())
    if (!headers.some((one) => plainName(one) === plainName(header)))
      throw unreadable('noSuchColumn', { name: header, ...meantBy(header, headers) })
  const named = headers.map((header) => {
    const said = saidOf.get(plainName(header))
    if (said === undefined) return fieldMeant(resource, header)
    return said === null ? undefined : fieldTold(resource, said)
  })
  return columnsNamed(importable, headers, named)
}

/** The columns by an explicit list: the public name of each column's field, or '' to ignore it. */
export function columnsPut(
  importable: Importable,
  headers: readonly string[],
  names: readonly string[],
): ImportColumns {
  return columnsNamed(
    importable,
    headers,
    headers.map((_, index) => {
      const name = names[index] ?? ''
      return name === '' ? undefined : fieldTold(importable.resource, name)
    }),
  )
}

/** The public field name that each header suggests; null for unknown and repeated ones. */
export function guessedFields(
  { resource }: Importable,
  headers: readonly string[],
): (string | null)[] {
  const seen = new Set<string>()
  return headers.map((header) => {
    const found = fieldMeant(resource, header)
    if (found === undefined || seen.has(found.name)) return null
    seen.add(found.name)
    return found.field.wire
  })
}

/** The public spelling of a field name; undefined when there is no such field. */
export function fieldNamed({ resource }: Importable, name: string): string | undefined {
  return fieldMeant(resource, name)?.field.wire
}

function columnsNamed(
  importable: Importable,
  headers: readonly string[],
  named: readonly (NamedField | undefined)[],
): ImportColumns {
  const { resource } = importable
  const read: ImportColumn[] = []
  const ignored: string[] = []
  headers.forEach((header, index) => {
    const found = named[index]
    if (found === undefined) {
      if (header !== '' && !isOurs(header)) ignored.push(header)
      return
    }
    const { name, field } = found
    read.push({ index, header, name, field, isKey: resource.key.includes(name) })
  })
  refuseTwice(read)
  refuseNeedy(importable, read, headers)
  return { read, ignored }
}

/** Headers are compared without letter case, spaces and punctuation: `E-post` equals `epost` and `E post`. */
export function plainName(header: string): string {
  return header
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}%]/gu, '')
}

interface NamedField {
  readonly name: string
  readonly field: Field
}

function fieldTold(resource: Resource, name: string): NamedField {
  const found = fieldMeant(resource, name)
  if (found !== undefined) return found
  const wires = Object.values(resource.fields).map(({ wire }) => wire)
  throw unreadable('noSuchField', { name, ...meantBy(name, wires) })
}

function fieldMeant(resource: Resource, header: string): NamedField | undefined {
  return meaningsOf(resource).get(plainName(header))
}

function meaningsOf(resource: Resource): ReadonlyMap<string, NamedField> {
  let found = meanings.get(resource)
  if (found === undefined) meanings.set(resource, (found = collect(resource)))
  return found
}

const meanings = new WeakMap<Resource, ReadonlyMap<string, NamedField>>()

/** Public names take precedence over usual headers: `Avdeling` of a project is the header of its department. */
function collect(resource: Resource): ReadonlyMap<string, NamedField> {
  const byName = new Map<string, NamedField>()
  const fields = Object.entries(resource.fields).filter(([, { readOnly }]) => readOnly !== true)
  const add = (spelling: string, found: NamedField) => {
    const plain = plainName(spelling)
    if (!byName.has(plain)) byName.set(plain, found)
  }
  for (const [name, field] of fields)
    for (const spelling of [field.wire, ...(field.alsoReads ?? [])]) add(spelling, { name, field })
  for (const [name, { nb, en, also = [] }] of Object.entries(headersOf(resource))) {
    const field = resource.fields[name]
    if (field !== undefined)
      for (const spelling of [nb, en, ...also]) add(spelling, { name, field })
  }
  return byName
}

/** Whether the column is one that an error file adds. */
export function isOurs(header: string): boolean {
  return Object.values(errorHeaders).some(({ nb, en }) => header === nb || header === en)
}

function refuseTwice(columns: readonly ImportColumn[]): void {
  for (const [, [one, other]] of Map.groupBy(columns, ({ name }) => name))
    if (one !== undefined && other !== undefined)
      throw unreadable('columnTwice', {
        one: shown(one.header),
        other: shown(other.header),
        field: one.field.wire,
      })
}

/** Throws when a required column is missing. */
function refuseNeedy(
  { resource, needs }: Importable,
  columns: readonly ImportColumn[],
  headers: readonly string[],
): void {
  const lacking = needs.find((group) => !columns.some(({ name }) => group.includes(name)))
  if (lacking === undefined) return
  const [field = '', other] = lacking.map((name) => resource.fields[name]?.wire ?? name)
  const there = headers.slice(0, 20).map(shown).join(', ')
  throw other === undefined
    ? unreadable('noSuchColumnAmong', { field, columns: there })
    : unreadable('noKeyColumn', { key: field, other, columns: there })
}

function shown(header: string): string {
  return header.length > 50 ? `${header.slice(0, 50).toWellFormed()}…` : header
}

function meantBy(name: string, names: readonly string[]): Says {
  const meant = nearest(shown(name), names)
  return meant === undefined ? {} : { nearest: meant }
}

/** The suggestion is a parameter of the whole message, the others of the problem. */
function unreadable(problem: Phrase['phrase'], { nearest: meant, ...says }: Says): Fault {
  return new Fault('UnreadableFile', {
    says: { problem: phrase(problem, says), ...(meant === undefined ? {} : { nearest: meant }) },
  })
}
