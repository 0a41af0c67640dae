// Preconditions of writes: `If-Match` and `If-None-Match` (RFC 9110, 13.1).
import { ApiError } from '../../errors/api-error.ts'
import type { Request } from '../../http/request.ts'
import { etagOf, matchesEtag } from '../../engine/model/etag.ts'
import type { Resource } from '../../engine/model/resource.ts'

/** Throws `PreconditionFailed` when the stored record's ETag does not satisfy the headers. */
export function requireMatch(request: Request, resource: Resource, record: Readonly<Record<string, unknown>>): void {
  const etag = etagOf(resource, record)
  const match = request.header('if-match')
  if (match !== undefined && !matchesEtag(match, etag)) throw preconditionError('If-Match')
  const noneMatch = request.header('if-none-match')
  if (noneMatch !== undefined && matchesEtag(noneMatch, etag)) throw preconditionError('If-None-Match')
}

/** A set has no ETag: only `If-Match: *` is satisfied. */
export function requireSetMatch(request: Request): void {
  const match = request.header('if-match')
  if (match !== undefined && match.trim() !== '*') throw preconditionError('If-Match')
}

function preconditionError(header: string): ApiError {
  return new ApiError('PreconditionFailed', { target: `header:${header}`, params: { header } })
}
