// Names of fields in files: the public name, and the usual headers in both languages.
import { ApiError } from '../errors/api-error.ts'
import { closestMatch } from '../lib/closest-match.ts'
import { memoize } from '../lib/memoize.ts'
import { columnHeadersOf } from '../model/import-headers.ts'
import type { Field, Resource } from '../engine/model/resource.ts'
import { message, type LocalizedMessage, type MessageParams } from '../errors/messages.ts'

/** Headers are compared without letter case, spaces and punctuation: `E-post` equals `epost` and `E post`. */
export function normalizeHeader(header: string): string {
  return header
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}%]/gu, '')
}

export interface ImportableField {
  readonly name: string
  readonly field: Field
}

/** Throws `UnreadableFile`. */
export function requireField(resource: Resource, name: string): ImportableField {
  const found = findField(resource, name)
  if (found !== undefined) return found
  const wires = Object.values(resource.fields).map(({ wire }) => wire)
  throw unreadableFileError('noSuchField', { name }, findSuggestion(name, wires))
}

export function findField(resource: Resource, header: string): ImportableField | undefined {
  return fieldsByName(resource).get(normalizeHeader(header))
}

/** Public names take precedence over usual headers: `Avdeling` of a project is the header of its department. */
const fieldsByName = memoize((resource: Resource): ReadonlyMap<string, ImportableField> => {
  const byName = new Map<string, ImportableField>()
  const fields = Object.entries(resource.fields).filter(([, { readOnly }]) => readOnly !== true)
  const add = (spelling: string, found: ImportableField) => {
    const plain = normalizeHeader(spelling)
    if (!byName.has(plain)) byName.set(plain, found)
  }
  for (const [name, field] of fields)
    for (const spelling of [field.wire, ...(field.aliases ?? [])]) add(spelling, { name, field })
  for (const [name, [nb, en, alternatives = []]] of Object.entries(columnHeadersOf(resource))) {
    const field = resource.fields[name]
    if (field !== undefined) for (const spelling of [nb, en, ...alternatives]) add(spelling, { name, field })
  }
  return byName
})

export function truncateHeader(header: string): string {
  return header.length > 50 ? `${header.slice(0, 50).toWellFormed()}…` : header
}

export function findSuggestion(name: string, names: readonly string[]): string | undefined {
  return closestMatch(truncateHeader(name), names)
}

export function unreadableFileError(
  code: LocalizedMessage['code'],
  params: MessageParams = {},
  nearest?: string,
): ApiError {
  return new ApiError('UnreadableFile', { params: { problem: message(code, params), nearest } })
}
