// Preconditions of writes: `If-Match` and `If-None-Match` (RFC 9110, 13.1).
import { Fault } from '../../errors/catalog.ts'
import type { Request } from '../../http/request.ts'
import { etagOf, isNamed } from '../../engine/model/etag.ts'
import type { Resource } from '../../engine/model/resource.ts'

/** Throws `PreconditionFailed` when the stored record's ETag does not satisfy the headers. */
export function requireWanted(
  request: Request,
  resource: Resource,
  record: Readonly<Record<string, unknown>>,
): void {
  const etag = etagOf(resource, record) ?? ''
  const match = request.header('if-match')
  if (match !== undefined && !isNamed(match, etag)) throw refusal('If-Match')
  const noneMatch = request.header('if-none-match')
  if (noneMatch !== undefined && isNamed(noneMatch, etag)) throw refusal('If-None-Match')
}

/** A set has no ETag: only `If-Match: *` is satisfied. */
export function requireSetWanted(request: Request): void {
  const match = request.header('if-match')
  if (match !== undefined && match.trim() !== '*') throw refusal('If-Match')
}

function refusal(header: string): Fault {
  return new Fault('PreconditionFailed', { target: `header:${header}`, says: { header } })
}
