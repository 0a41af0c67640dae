// Resource paths below a service root: `/prosjekt/Avdeling('10')/Ansatte`, `/ansatt/Ansatt/$count`.
import { dagsverk } from '../../model/service-schema.ts'
import type { RecordKey, Resource } from '../../engine/model/resource.ts'
import type { Schema } from '../../engine/model/schema.ts'
import { standard, type Dialect } from '../../engine/odata/lexer/dialect.ts'
import { parseResourcePath, type PathSegment } from '../../engine/odata/path/resource-path.ts'
import { resolveAddress, type Address } from '../../engine/planner/address/address.ts'

/** The first segment of a path, in the caller's spelling. */
export function rootOf(path: string): string {
  return /^\/*([^/]*)/.exec(path)?.[1] ?? ''
}

/** The segments after the service root. Throws `InvalidPath` and `NotSupported`. */
export function segmentsOf(path: string, dialect: Dialect = standard): readonly PathSegment[] {
  return parseResourcePath(path.replace(/^\/*[^/]*\/*/, ''), dialect)
}

/** The resource that a path resolves to; null when there is none. */
export function addressOf(schema: Schema, path: string, dialect?: Dialect): Address | null {
  return resolveAddress(schema, segmentsOf(path, dialect))
}

/** The key in a path, typed by the model; null when it is no valid key of the resource. */
export function recordKeyIn(path: string, resource: Resource): RecordKey | null {
  const [only, more] = addressOf(dagsverk, path)?.key ?? []
  const field = resource.fields[resource.key[0] ?? '']
  if (only === undefined || more !== undefined || field === undefined) return null
  if (only.name !== null && only.name.toLowerCase() !== field.wire.toLowerCase()) return null
  const { type, value } = only.value
  if (field.type === 'text') return type === 'text' ? value : null
  return type === 'number' && /^\d{1,15}$/.test(value) ? Number(value) : null
}
