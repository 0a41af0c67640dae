// ETags of records, which change with every update (OData 4.01 part 1, 8.3.1).
import type { Resource } from './resource.ts'

/**
 * A weak ETag of the resource's `etagField`; null for a resource without one. `record` holds internal values by internal
 * names. The templates of `engine/sql` write the same.
 */
export function etagOf({ etagField }: Resource, record: Readonly<Record<string, unknown>>): string | null {
  return etagField === undefined ? null : `W/"${String(record[etagField])}"`
}

/** The header of a reply with one record. */
export function etagHeader(etag: string | null): Record<string, string> {
  return etag === null ? {} : { ETag: etag }
}

/** Whether the list of `If-Match` or `If-None-Match` contains the ETag, by weak comparison; `*` matches any record. */
export function matchesEtag(list: string, etag: string | null): boolean {
  return (
    list.trim() === '*' ||
    (etag !== null && [...list.matchAll(/(?:W\/)?("[^"]*")/g)].some(([, opaque = '']) => etag.endsWith(opaque)))
  )
}
