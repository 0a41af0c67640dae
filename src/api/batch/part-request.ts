// Makes a request of one part of a batch.
import { deriveRequest } from '../derive-request.ts'
import { parseCredentials, type PresentedCredential } from '../../auth/authenticator/credentials.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Request } from '../../http/request.ts'
import { invalidBatchError, type BatchRequest } from '../../engine/formats/batch/batch-request.ts'

/**
 * `root` is the service root that the batch was sent to; `urlsById` are the URLs of earlier requests by id, for references
 * such as `$1`. Throws `InvalidBatch` for a URL outside the service, `AmbiguousCredentials` for credentials other than
 * the batch's own.
 */
export function partRequest(
  outer: Request,
  part: BatchRequest,
  { root, urlsById }: { readonly root: string; readonly urlsById: ReadonlyMap<string, string> },
): Request {
  const { path, search } = parseUrl(outer, resolveReference(part.url, urlsById), root)
  const header = (name: string) => partHeader(outer, part, name)
  const { method } = part
  const request = deriveRequest(outer, {
    method,
    path,
    search,
    header,
    body: async () => part.body,
  })
  const credentials = parseCredentials(outer)
  const isKnown = (one: PresentedCredential) =>
    credentials.some(({ company, secret }) => company === one.company && secret === one.secret)
  if (!parseCredentials(request).every(isKnown)) throw new ApiError('AmbiguousCredentials')
  return request
}

/** A header of the part, or an inherited header of the batch. */
export function partHeader(outer: Request, part: BatchRequest, name: string): string | undefined {
  return part.headers.get(name) ?? (inheritedHeaders.has(name) ? outer.header(name) : undefined)
}

/** Headers that a part inherits; all others of the batch apply to the batch itself (OData 4.01 part 1, 11.7.1). */
const inheritedHeaders = new Set([
  'host',
  'accept-language',
  'odata-maxversion',
  'odata-version',
  'x-api-version',
  'x-forwarded-for',
  'x-forwarded-proto',
  'forwarded',
])

/** `$1/Ansatte` is relative to the URL of the request with id 1. */
function resolveReference(url: string, urlsById: ReadonlyMap<string, string>): string {
  const [, id = ''] = /^\/?\$([^/?#(]+)/.exec(url) ?? []
  const address = urlsById.get(id)
  return address === undefined ? url : url.replace(/^\/?\$[^/?#(]+/, address)
}

/**
 * An absolute URL of this host, a path from its root, or a path from the service root. A leading slash does not
 * distinguish the last two: some clients write one before the name of a set.
 */
function parseUrl(outer: Request, url: string, root: string) {
  const absolute = /^https?:\/\/[^/?#]*/i.exec(url)?.[0]
  if (absolute !== undefined && absolute.toLowerCase() !== outer.origin.toLowerCase())
    throw foreignUrlError()
  const local = url.slice(absolute?.length ?? 0)
  const [before = ''] = local.split('#')
  const question = before.indexOf('?')
  const path = question === -1 ? before : before.slice(0, question)
  const search = question === -1 ? '' : before.slice(question + 1)
  const segments = path.split('/').filter((segment) => segment !== '')
  const isFromRoot = path.startsWith('/') && segments[0]?.toLowerCase() === root.toLowerCase()
  if (absolute !== undefined && !isFromRoot) throw foreignUrlError()
  if (segments.includes('..')) throw foreignUrlError()
  return { path: isFromRoot ? path : `/${root}/${path.replace(/^\/+/, '')}`, search }
}

/** The URL is not repeated: it may contain a secret. */
function foreignUrlError(): ApiError {
  return invalidBatchError('url', 'urlOfOtherService')
}
