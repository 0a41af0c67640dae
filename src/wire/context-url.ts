// Contexts of what is no set and no record: one field, and addresses of records (OData JSON 4.0, 10). `root` is the
// absolute address of the service that was called; a fragment is not percent-encoded.
import type { Resource } from '#model/resource.ts'
import { recordAddress } from '#wire/record-address.ts'
import type { Value } from '#wire/write-rows.ts'

/** Of a field of the record with this key. */
export const fieldContext = (
  root: string,
  { resource, key }: { resource: Resource; key: readonly Value[] },
  wire: string,
): string => `${root}/$metadata#${recordAddress(resource, key, asIs)}/${wire}`

/** Of the address of one record. */
export const referenceContext = (root: string): string => `${root}/$metadata#$ref`

/** Of the addresses of many. */
export const referencesContext = (root: string): string => `${root}/$metadata#Collection($ref)`

const asIs = (text: string): string => text
