// An address below a service root: `/prosjekt/Avdeling('10')`, `/odata/Ansatt/7`, `/ansatt/Ansatt/$count`.
import type { RecordKey, Resource } from '#model/resource.ts'
import { standard } from '#odata/dialect.ts'
import { literalType } from '#odata/literals.ts'
import { parseResourcePath, type KeyValue, type PathSegment } from '#odata/resource-path.ts'

/** The first segment, as it was written. */
export const rootOf = (path: string): string => /^\/*([^/]*)/.exec(path)?.[1] ?? ''

/** What follows it. Throws `InvalidPath` for what cannot be read, `NotSupported` for what is not served. */
export const segmentsOf = (path: string): readonly PathSegment[] =>
  parseResourcePath(path.replace(/^\/*[^/]*\/*/, ''), standard)

/** The key of the record that an address names; empty where it names none. */
export const keyIn = (path: string, resource: Resource): readonly KeyValue[] => {
  const [set, behind] = segmentsOf(path)
  if (set?.kind !== 'name') return []
  return set.keys.length === 0 && behind?.kind === 'name' ? keySegment(behind, resource) : set.keys
}

/** A key that is a segment of its own is written without quotes. */
const keySegment = (
  { name, column }: { readonly name: string; readonly column: number },
  { key, fields }: Resource,
): readonly KeyValue[] => {
  const type = fields[key[0] ?? '']?.type === 'text' ? 'text' : literalType(name)
  if (type === undefined) return []
  return [{ name: null, value: { kind: 'literal', type, value: name, column }, column }]
}

/** The key of a record as the house holds it; null where what stands in the address can be none of the resource. */
export const recordKeyIn = (path: string, resource: Resource): RecordKey | null => {
  const [only, more] = keyIn(path, resource)
  const [name = ''] = resource.key
  const field = resource.fields[name]
  if (only === undefined || more !== undefined || field === undefined) return null
  if (only.name !== null && only.name.toLowerCase() !== field.wire.toLowerCase()) return null
  const { type, value } = only.value
  if (field.type === 'text') return type === 'text' ? value : null
  return type === 'number' && /^\d{1,15}$/.test(value) ? Number(value) : null
}

/** Where a record stands below a service root: `https://host/odata/Avdeling('10')`. */
export const recordAddress = (
  root: string,
  { wire, key: [name = ''] }: Resource,
  record: Readonly<Record<string, unknown>>,
): string => {
  const key = record[name]
  const literal =
    typeof key === 'string' ? `'${encodeURIComponent(key).replaceAll("'", "''")}'` : String(key)
  return `${root}/${wire}(${literal})`
}
