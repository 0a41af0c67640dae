// `If-Match` and `If-None-Match` on a write: the record must be the one that its caller has read (RFC 9110, 13.1).
import { Fault } from '../../errors/catalog.ts'
import type { Request } from '../../http/request.ts'
import { etagOf, isNamed } from '../../engine/model/etag.ts'
import type { Resource } from '../../engine/model/resource.ts'

/** Throws `PreconditionFailed` where the record as it is stored is not wanted. */
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

/** A set has no state that could be named: only `If-Match: *` holds of it. */
export function requireSetWanted(request: Request): void {
  const match = request.header('if-match')
  if (match !== undefined && match.trim() !== '*') throw refusal('If-Match')
}

function refusal(header: string): Fault {
  return new Fault('PreconditionFailed', { target: `header:${header}`, says: { header } })
}
