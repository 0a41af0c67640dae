// Canonical URL of an entity below its service root: `Ansatt(7)`, `Avdeling('10')` (OData 4.01 part 2, 4.3.1).
import { kindOfType, type Field, type Resource, type TypeKind } from '../../model/resource.ts'
import { plainSerializers, type StoredValue } from './row-serializer.ts'

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

function keyLiteral(field: Field, value: StoredValue): string {
  if (value === null) return 'null'
  const kind = kindOfType(field.type)
  const text = plainSerializers[kind](value, field)
  return quotedKinds.has(kind) ? `'${text.replaceAll("'", "''")}'` : text
}

const quotedKinds: ReadonlySet<TypeKind> = new Set(['text', 'duration', 'enum'])
