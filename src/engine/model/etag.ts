// The mark of the state that a record is in, which every change of it makes another (OData 4.01 part 1, 8.3.1).
import type { Resource } from './resource.ts'

/**
 * A weak one, ready for the header `ETag`, of the key and the stamp of the last change; null for a resource whose
 * records have no such stamp. `record` holds values of the house by house names.
 */
export function etagOf(
  { key, fields, isUnmarked }: Resource,
  record: Readonly<Record<string, unknown>>,
): string | null {
  if (isUnmarked || fields['changedAt']?.type !== 'stamp') return null
  const parts = [...key, 'changedAt'].map((name) => encodeURIComponent(String(record[name])))
  return `W/"${parts.join('.')}"`
}

/** What `etagOf` needs of a record. */
export function etagFields({ key }: Resource): readonly string[] {
  return [...key, 'changedAt']
}

/** Whether a list of `If-Match` or `If-None-Match` names the mark; weak and strong ones are the same here. */
export function isNamed(list: string, etag: string): boolean {
  return (
    list.trim() === '*' ||
    [...list.matchAll(/(?:W\/)?("[^"]*")/g)].some(([, opaque = '']) => etag.endsWith(opaque))
  )
}
