// Canonical URL of an entity below its service root: `Ansatt(7)`, `Avdeling('10')` (OData 4.01 part 2, 4.3.1).
import { formatDecimal } from '../../../lib/decimal.ts'
import { formatTimestamp } from '../../../lib/timestamp.ts'
import { formatDuration } from '../../../lib/duration.ts'
import { formatEnumValue } from '../../model/enumeration.ts'
import type { Field, Primitive, Resource } from '../../model/resource.ts'
import type { StoredValue } from './write-rows.ts'

/** `values` are those of the key, in its order. A URL is percent-encoded, a context URL is not. */
export function recordUrl(
  resource: Resource,
  values: readonly StoredValue[],
  encode: (text: string) => string = encodeURIComponent,
): string {
  const parts = resource.key.map((name, index) => {
    const field = resource.fields[name]
    const literal = field === undefined ? '' : encode(keyLiteral(field, values[index] ?? null))
    return resource.key.length === 1 ? literal : `${field?.wire ?? name}=${literal}`
  })
  return `${resource.wire}(${parts.join(',')})`
}

function keyLiteral({ type }: Field, value: StoredValue): string {
  return value === null
    ? 'null'
    : typeof type === 'string'
      ? literalSerializers[type](value)
      : `'${formatEnumValue(type, Number(value))}'`
}

const literalSerializers: Record<Primitive, (value: NonNullable<StoredValue>) => string> = {
  text: (value) => `'${String(value).replaceAll("'", "''")}'`,
  integer: String,
  decimal: (value) => formatDecimal(Number(value)),
  date: String,
  stamp: (value) => formatTimestamp(Number(value)),
  timeOfDay: (value) => formatTimestamp(Number(value)).slice(11, -1),
  duration: (value) => `'${formatDuration(Number(value))}'`,
  boolean: (value) => (Number(value) === 0 ? 'false' : 'true'),
}
