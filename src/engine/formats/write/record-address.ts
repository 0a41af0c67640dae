// Canonical URL of an entity below its service root: `Ansatt(7)`, `Avdeling('10')` (OData 4.01 part 2, 4.3.1).
import { writeDecimal } from '../../../lib/decimal.ts'
import { writeStamp } from '../../../lib/timestamp.ts'
import { writeDuration } from '../../../lib/duration.ts'
import { writeMembers } from '../../model/enumeration.ts'
import type { Field, Primitive, Resource } from '../../model/resource.ts'
import type { Value } from './write-rows.ts'

/** `values` are those of the key, in its order. A URL is percent-encoded, a context URL is not. */
export function recordAddress(
  resource: Resource,
  values: readonly Value[],
  encode: (text: string) => string = encodeURIComponent,
): string {
  const parts = resource.key.map((name, index) => {
    const field = resource.fields[name]
    const literal = field === undefined ? '' : encode(literalOf(field, values[index] ?? null))
    return resource.key.length === 1 ? literal : `${field?.wire ?? name}=${literal}`
  })
  return `${resource.wire}(${parts.join(',')})`
}

function literalOf({ type }: Field, value: Value): string {
  return value === null
    ? 'null'
    : typeof type === 'string'
      ? literals[type](value)
      : `'${writeMembers(type, Number(value))}'`
}

const literals: Record<Primitive, (value: NonNullable<Value>) => string> = {
  text: (value) => `'${String(value).replaceAll("'", "''")}'`,
  integer: String,
  decimal: (value) => writeDecimal(Number(value)),
  date: String,
  stamp: (value) => writeStamp(Number(value)),
  timeOfDay: (value) => writeStamp(Number(value)).slice(11, -1),
  duration: (value) => `'${writeDuration(Number(value))}'`,
  boolean: (value) => (Number(value) === 0 ? 'false' : 'true'),
}
