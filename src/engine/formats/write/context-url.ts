// Contexts of what is no set and no record: one field, and addresses of records (OData JSON 4.0, 10). `root` is the
// absolute address of the service that was called; a fragment is not percent-encoded.
import type { Resource } from '../../model/resource.ts'
import { recordAddress } from './record-address.ts'
import type { Value } from './write-rows.ts'

/** Of a field of the record with this key. */
export function fieldContext(
  root: string,
  { resource, key }: { resource: Resource; key: readonly Value[] },
  wire: string,
): string {
  return `${root}/$metadata#${recordAddress(resource, key, asIs)}/${wire}`
}

/** Of the address of one record. */
export function referenceContext(root: string): string {
  return `${root}/$metadata#$ref`
}

/** Of the addresses of many. */
export function referencesContext(root: string): string {
  return `${root}/$metadata#Collection($ref)`
}

function asIs(text: string): string {
  return text
}
