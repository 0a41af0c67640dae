// Context URLs of single properties and entity references (OData JSON 4.0, 10). `root` is the absolute
// URL of the called service root; a fragment is not percent-encoded.
import type { Resource } from '../../model/resource.ts'
import { recordAddress } from './record-address.ts'
import type { Value } from './write-rows.ts'

/** Of a property of the entity with this key. */
export function fieldContext(
  root: string,
  { resource, key }: { resource: Resource; key: readonly Value[] },
  wire: string,
): string {
  return `${root}/$metadata#${recordAddress(resource, key, asIs)}/${wire}`
}

/** Of one entity reference. */
export function referenceContext(root: string): string {
  return `${root}/$metadata#$ref`
}

/** Of a collection of entity references. */
export function referencesContext(root: string): string {
  return `${root}/$metadata#Collection($ref)`
}

function asIs(text: string): string {
  return text
}
