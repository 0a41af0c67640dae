// What holds for every request below a service root, before anybody asks what it is about.
import { rootOf } from '#api/odata-address.ts'
import { serviceRoots } from '#api/routes.ts'
import { Fault } from '#faults.ts'
import type { Reply, Request } from '#http/request.ts'
import { versionFor, versionOrUsual } from '#wire/odata-version.ts'

const isOfService = ({ path }: Request): boolean => {
  const root = rootOf(path).toLowerCase()
  return serviceRoots.some((one) => one === root)
}

/**
 * Throws for a version that is not spoken, and for an isolation that is not kept: such a request must not be worked on
 * (OData 4.01 part 1, 8.2.6 and 8.2.4).
 */
export const requireProtocol = (request: Request): void => {
  if (!isOfService(request)) return
  versionFor(request.header('odata-maxversion'))
  const isolation = request.header('odata-isolation') ?? request.header('isolation')
  if (isolation !== undefined)
    throw new Fault('IsolationNotSupported', { target: 'header:Isolation' })
}

/** What every answer says, a refusal too: its version, and on what that depends (OData 4.01 part 1, 8.1.5). */
export const spoken = (request: Request, reply: Reply): Reply => {
  if (!isOfService(request)) return reply
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
