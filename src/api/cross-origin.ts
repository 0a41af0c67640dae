// CORS: pages of other origins that may call the API from a browser (Fetch standard, 3.2).
import type { Reply, Request } from '../http/request.ts'

export type CrossOrigin = ReturnType<typeof createCrossOrigin>

/**
 * `listOrigins` is called for each request, because a reload changes them: origins as browsers send them, or `*` for all;
 * empty for none. `isShared`: whether other origins may call the path.
 */
export function createCrossOrigin(listOrigins: () => readonly string[], isShared: (path: string) => boolean) {
  const headersFor = (request: Request): Readonly<Record<string, string>> | null => {
    const origin = request.header('origin')
    const origins = listOrigins()
    if (origin === undefined || origins.length === 0 || !isShared(request.path)) return null
    // Never Allow-Credentials: callers send a key in a header, and a browser must not add credentials of its own.
    if (origins.includes('*')) return { 'Access-Control-Allow-Origin': '*', ...exposed }
    return origins.includes(origin) ? { 'Access-Control-Allow-Origin': origin, ...exposed } : null
  }
  return {
    /** The reply to a preflight request of an allowed origin; null for any other request. */
    preflight: (request: Request): Reply | null => {
      if (request.method !== 'OPTIONS') return null
      if (request.header('access-control-request-method') === undefined) return null
      if (headersFor(request) === null) return null
      return {
        status: 204,
        headers: {
          'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
          'Access-Control-Allow-Headers': request.header('access-control-request-headers') ?? '',
          'Access-Control-Max-Age': '3600',
          Vary: 'Access-Control-Request-Headers',
        },
        body: null,
      }
    },
    /** Adds the headers by which a browser lets the page read the reply, errors too. */
    withHeaders: (request: Request, reply: Reply): Reply => {
      const origins = listOrigins()
      if (origins.length === 0 || !isShared(request.path)) return reply
      const varying = [reply.headers['Vary'], ...(origins.includes('*') ? [] : ['Origin'])]
      const vary = varying.filter((one) => one !== undefined).join(', ')
      const headers = { ...reply.headers, ...(vary === '' ? {} : { Vary: vary }) }
      return { ...reply, headers: { ...headers, ...headersFor(request) } }
    },
  }
}

/** All headers: `*` means them where no credentials are allowed. */
const exposed = { 'Access-Control-Expose-Headers': '*' }
