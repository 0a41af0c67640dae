// One request of a batch as a request of its own: who calls is known, and everything else is in its part.
import { credentialsIn, type Presented } from '../../auth/authenticator/credentials.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Request } from '../../http/request.ts'
import { invalidBatch, type BatchRequest } from '../../engine/formats/batch/batch-request.ts'

/**
 * `root` is the first segment of the address that the batch was sent to; `named` are the addresses of records that
 * requests before were about. Throws `InvalidBatch` for an address elsewhere, `AmbiguousCredentials` for a credential
 * that the batch itself was not sent with.
 */
export function partRequest(
  outer: Request,
  part: BatchRequest,
  { root, named }: { readonly root: string; readonly named: ReadonlyMap<string, string> },
): Request {
  const { path, search } = locate(outer, resolved(part.url, named), root)
  const header = (name: string) => headerOf(outer, part, name)
  const request: Request = {
    method: part.method,
    path,
    search,
    header,
    body: async () => part.body,
    address: outer.address,
    secure: outer.secure,
    origin: outer.origin,
    id: outer.id,
    onDisconnect: (callback) => outer.onDisconnect(callback),
  }
  const presented = credentialsIn(outer)
  const isKnown = (one: Presented) =>
    presented.some(({ company, secret }) => company === one.company && secret === one.secret)
  if (!credentialsIn(request).every(isKnown)) throw new Fault('AmbiguousCredentials')
  return request
}

/** A header of the part, or of the batch where it holds for all of it. */
export function headerOf(outer: Request, part: BatchRequest, name: string): string | undefined {
  return part.headers.get(name) ?? (inherited.has(name) ? outer.header(name) : undefined)
}

/** What a part need not say again; all else of the batch is about the batch (OData 4.01 part 1, 11.7.1). */
const inherited = new Set([
  'host',
  'accept-language',
  'odata-maxversion',
  'odata-version',
  'x-api-version',
  'x-forwarded-for',
  'x-forwarded-proto',
  'forwarded',
])

/** `$1/Ansatte` goes on from what the request named 1 was about. */
function resolved(url: string, named: ReadonlyMap<string, string>): string {
  const [, id = ''] = /^\/?\$([^/?#(]+)/.exec(url) ?? []
  const address = named.get(id)
  return address === undefined ? url : url.replace(/^\/?\$[^/?#(]+/, address)
}

/**
 * An absolute address of this host, one from its root, or one from the root of the service. A slash in front does not
 * tell the last two apart: some clients write one before the name of a set.
 */
function locate(outer: Request, url: string, root: string) {
  const absolute = /^https?:\/\/[^/?#]*/i.exec(url)?.[0]
  if (absolute !== undefined && absolute.toLowerCase() !== outer.origin.toLowerCase())
    throw elsewhere()
  const local = url.slice(absolute?.length ?? 0)
  const [before = ''] = local.split('#')
  const question = before.indexOf('?')
  const path = question === -1 ? before : before.slice(0, question)
  const search = question === -1 ? '' : before.slice(question + 1)
  const segments = path.split('/').filter((segment) => segment !== '')
  const isFromRoot = path.startsWith('/') && segments[0]?.toLowerCase() === root.toLowerCase()
  if (absolute !== undefined && !isFromRoot) throw elsewhere()
  if (segments.includes('..')) throw elsewhere()
  return { path: isFromRoot ? path : `/${root}/${path.replace(/^\/+/, '')}`, search }
}

/** The address itself is not repeated: it may hold a secret. */
function elsewhere(): Fault {
  return invalidBatch('url', 'ofAnotherService')
}
