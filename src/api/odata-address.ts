// An address below a service root: `/prosjekt/Avdeling('10')`, `/odata/Ansatt/7`, `/ansatt/Ansatt/$count`.
import type { Resource } from '#model/resource.ts'
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
