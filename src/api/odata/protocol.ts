// OData protocol headers of every request below a service root: versions, isolation.
import { rootOf } from './resource-url.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply, Request } from '../../http/request.ts'
import { versionFor, versionOrUsual } from '../../engine/formats/negotiation/odata-version.ts'

export interface Protocol {
  /** Throws for an unsupported version, and for `Isolation`, which is unsupported (OData 4.01 part 1, 8.2.6 and 8.2.4). */
  readonly require: (request: Request) => void
  /** Adds the version headers to every reply, errors included (OData 4.01 part 1, 8.1.5). */
  readonly spoken: (request: Request, reply: Reply) => Reply
}

/** `roots` are the service roots, in lower case. */
export function protocolOf(roots: readonly string[]): Protocol {
  const isOfService = ({ path }: Request) => roots.includes(rootOf(path).toLowerCase())
  return {
    require: (request) => {
      if (isOfService(request)) requireSpoken(request)
    },
    spoken: (request, reply) => (isOfService(request) ? withVersion(request, reply) : reply),
  }
}

function requireSpoken(request: Request): void {
  versionFor(request.header('odata-maxversion'))
  const isolation = request.header('odata-isolation') ?? request.header('isolation')
  if (isolation !== undefined)
    throw new Fault('IsolationNotSupported', { target: 'header:Isolation' })
}

function withVersion(request: Request, reply: Reply): Reply {
  const varying = reply.headers['Vary']
  return {
    ...reply,
    headers: {
      ...reply.headers,
      'OData-Version': versionOrUsual(request.header('odata-maxversion')),
      Vary: varying === undefined ? 'OData-MaxVersion' : `${varying}, OData-MaxVersion`,
    },
  }
}
