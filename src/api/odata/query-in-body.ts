// `POST Set/$query`: reads with the query options in the body (OData 4.01 part 2, 4.17).
import type { Handler } from '../operation.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Request } from '../../http/request.ts'
import { message } from '../../errors/messages.ts'

/** The path to read; null when it does not end in `$query`. */
export function pathOfQueryInBody(path: string): string | null {
  const [, queried = null] = /^(.+)\/+(?:\$|%24)query\/*$/i.exec(path) ?? []
  return queried
}

/** The read of the path, with the options of the body in addition to those of the URL. */
export function withQueryInBody(handle: Handler, path: string): Handler {
  return async (request, api) => {
    // The body of an unauthenticated request is not read.
    await api.authenticator.authenticate(request, null)
    requireTextBody(request.header('content-type'))
    const body = (await request.body()).toString('latin1').trim()
    const search = [request.search, body].filter((part) => part !== '').join('&')
    return handle(toGetRequest(request, { path, search }), api)
  }
}

function toGetRequest(request: Request, target: Pick<Request, 'path' | 'search'>): Request {
  return {
    ...target,
    method: 'GET',
    header: (name) => request.header(name),
    body: async () => Buffer.alloc(0),
    address: request.address,
    secure: request.secure,
    origin: request.origin,
    id: request.id,
    onDisconnect: (callback) => request.onDisconnect(callback),
  }
}

function requireTextBody(contentType: string | undefined): void {
  if (/^\s*text\/plain\s*(;|$)/i.test(contentType ?? '')) return
  const type = contentType?.slice(0, 100).replace(/[^ -~]/g, '?') ?? message('none')
  throw new ApiError('UnsupportedMediaType', {
    target: 'header:Content-Type',
    params: { type, allowed: 'text/plain' },
    headers: { 'Accept-Post': 'text/plain' },
  })
}
