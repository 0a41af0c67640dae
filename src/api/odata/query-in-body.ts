// `POST Set/$query`: reads with the query options in the body (OData 4.01 part 2, 4.17).
import { deriveRequest } from '../../http/request.ts'
import type { Handler } from '../operation.ts'
import { mediaTypeError } from '../../engine/formats/negotiation/media-type.ts'

/** The path to read; null when it does not end in `$query`. */
export function pathOfQueryInBody(path: string): string | null {
  // Looked for once in a run of slashes, which may be long.
  const end = path.search(/(?<!\/)\/+(?:\$|%24)query\/*$/i)
  return end > 0 ? path.slice(0, end) : null
}

/** The read of the path, with the options of the body in addition to those of the URL. */
export function withQueryInBody(handle: Handler, path: string): Handler {
  return async (request, api) => {
    // The body of an unauthenticated request is not read.
    await api.authenticator.authenticate(request, null)
    const type = request.header('content-type')
    if (!/^\s*text\/plain\s*(;|$)/i.test(type ?? '')) throw mediaTypeError(type, 'text/plain')
    const body = (await request.body()).toString('latin1').trim()
    const search = [request.search, body].filter((part) => part !== '').join('&')
    const read = { method: 'GET', path, search, body: async () => Buffer.alloc(0) }
    return handle(deriveRequest(request, read), api)
  }
}
