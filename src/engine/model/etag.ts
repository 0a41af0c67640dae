// ETags of records, which change with every update (OData 4.01 part 1, 8.3.1).
import type { Resource } from './resource.ts'

/**
 * A weak ETag of the key and the resource's `etagField`; null for a resource without one. `record` holds internal values
 * by internal names. `etagText` in `engine/sql` writes the same in SQL.
 */
export function etagOf(
  resource: Resource,
  record: Readonly<Record<string, unknown>>,
): string | null {
  const parts = etagFields(resource).map((name) => encodeURIComponent(String(record[name])))
  return parts.length === 0 ? null : `W/"${parts.join('.')}"`
}

/** The header of a reply with one record. */
export function etagHeader(etag: string | null): Record<string, string> {
  return etag === null ? {} : { ETag: etag }
}

/** The fields that an ETag consists of, in its order; empty for a resource whose records have none. */
export function etagFields({ key, etagField }: Resource): readonly string[] {
  return etagField === undefined ? [] : [...key, etagField]
}

/** Whether the list of `If-Match` or `If-None-Match` contains the ETag, by weak comparison; `*` matches any record. */
export function matchesEtag(list: string, etag: string | null): boolean {
  return (
    list.trim() === '*' ||
    (etag !== null &&
      [...list.matchAll(/(?:W\/)?("[^"]*")/g)].some(([, opaque = '']) => etag.endsWith(opaque)))
  )
}
