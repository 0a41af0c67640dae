// Context URLs of single properties and entity references (OData JSON 4.0, 10). `root` is the absolute
// URL of the called service root; a fragment is not percent-encoded.
import type { Resource } from '../../model/resource.ts'
import { recordUrl } from './record-address.ts'
import type { StoredValue } from './write-rows.ts'

/** Of a property of the entity with this key. */
export function fieldContextUrl(
  root: string,
  { resource, key }: { resource: Resource; key: readonly StoredValue[] },
  wire: string,
): string {
  return `${root}/$metadata#${recordUrl(resource, key, unencoded)}/${wire}`
}

/** Of one entity reference. */
export function referenceContextUrl(root: string): string {
  return `${root}/$metadata#$ref`
}

/** Of a collection of entity references. */
export function referencesContextUrl(root: string): string {
  return `${root}/$metadata#Collection($ref)`
}

function unencoded(text: string): string {
  return text
}
