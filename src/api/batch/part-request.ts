// Makes a request of one part of a batch.
import { deriveRequest, type Request } from '../../http/request.ts'
import { parseServiceUrl, resolveBatchReference } from '../odata/service-url.ts'
import { parseCredentials, type PresentedCredential } from '../../auth/authenticator/credentials.ts'
import { ApiError } from '../../errors/api-error.ts'
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
  const url = parseServiceUrl(resolveBatchReference(part.url, urlsById), { origin: outer.origin, root })
  // It is not repeated, because it may contain a secret.
  if (url === null) throw invalidBatchError('url', 'urlOfOtherService')
  const header = (name: string) => partHeader(outer, part, name)
  const request = deriveRequest(outer, { method: part.method, ...url, header, body: async () => part.body })
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
