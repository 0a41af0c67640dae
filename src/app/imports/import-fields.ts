// Import fields: the writable fields of a resource by public name, with their titles.
import type { ImportField } from '../contract/imports.ts'
import type { Field, Resource } from '../../engine/model/resource.ts'
import { columnHeadersOf } from '../../model/import-headers.ts'

const importTypes = ['text', 'integer', 'decimal', 'date', 'boolean', 'timestamp'] as const

/** With what `more` says of each field. */
export function describeImportFields<More extends object>(
  resource: Resource,
  more: (name: string, field: Field | undefined) => More,
): (ImportField & More)[] {
  return Object.entries(columnHeadersOf(resource)).map(([name, [nb, en]]) => {
    const field = resource.fields[name]
    const type = importTypes.find((one) => one === field?.type) ?? 'text'
    return { wire: field?.wire ?? name, type, ...more(name, field), nb, en }
  })
}
