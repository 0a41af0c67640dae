// OData protocol headers of every request below a service root: versions, isolation.
import { serviceRootOf } from './resource-url.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Endpoint, Reply, Request } from '../../http/request.ts'
import { negotiateVersion, versionOrDefault } from '../../engine/formats/negotiation/odata-version.ts'

export type HandleRequest = Endpoint['handle']

export type ODataProtocol = ReturnType<typeof createProtocol>

/** `roots` are the service roots, in lower case. Requests that are not below one of them are left as they are. */
export function createProtocol(roots: readonly string[]) {
  const isOfService = (path: string) => roots.includes(serviceRootOf(path).toLowerCase())
  return {
    isOfService,
    /**
     * Adds the version headers to the replies of a handler. It throws for an unsupported version, and for `Isolation`, which
     * is unsupported (OData 4.01 part 1, 8.2.6 and 8.2.4).
     */
    withProtocol:
      (handle: HandleRequest): HandleRequest =>
      async (request) => {
        if (!isOfService(request.path)) return handle(request)
        requireSupportedHeaders(request)
        return addVersionHeaders(request, await handle(request))
      },
    /** Adds the version headers, which every reply has, errors included (OData 4.01 part 1, 8.1.5). */
    withVersionHeaders: (request: Request, reply: Reply): Reply =>
      isOfService(request.path) ? addVersionHeaders(request, reply) : reply,
  }
}

function requireSupportedHeaders(request: Request): void {
  negotiateVersion(request.header('odata-maxversion'))
  const isolation = request.header('odata-isolation') ?? request.header('isolation')
  if (isolation !== undefined) throw new ApiError('IsolationNotSupported', { target: 'header:Isolation' })
}

function addVersionHeaders(request: Request, reply: Reply): Reply {
  const varying = reply.headers['Vary']
  return {
    ...reply,
    headers: {
      ...reply.headers,
      'OData-Version': versionOrDefault(request.header('odata-maxversion')),
      Vary: varying === undefined ? 'OData-MaxVersion' : `${varying}, OData-MaxVersion`,
    },
  }
}
