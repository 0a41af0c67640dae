// ETags of records, which change with every update (OData 4.01 part 1, 8.3.1).
import type { Resource } from './resource.ts'

/**
 * A weak ETag of the key and the timestamp of the last change; null for a resource without such a timestamp. `record`
 * holds internal values by internal names.
 */
export function etagOf(
  { key, fields, isReadLogged }: Resource,
  record: Readonly<Record<string, unknown>>,
): string | null {
  if (isReadLogged || fields['changedAt']?.type !== 'timestamp') return null
  const parts = [...key, 'changedAt'].map((name) => encodeURIComponent(String(record[name])))
  return `W/"${parts.join('.')}"`
}

/** The fields that `etagOf` needs. */
export function etagFields({ key }: Resource): readonly string[] {
  return [...key, 'changedAt']
}

/** Whether the list of `If-Match` or `If-None-Match` contains the ETag, by weak comparison. */
export function matchesEtag(list: string, etag: string): boolean {
  return (
    list.trim() === '*' ||
    [...list.matchAll(/(?:W\/)?("[^"]*")/g)].some(([, opaque = '']) => etag.endsWith(opaque))
  )
}
