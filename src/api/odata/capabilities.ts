// Capabilities of the service, for the annotations in `$metadata`.
import { schemaVersion } from './response.ts'
import { routes, serviceRoots } from '../routes.ts'
import type { Method } from '../../http/request.ts'
import type { Resource } from '../../engine/model/resource.ts'
import { exportable } from '../../model/transaction.ts'
import { transformationNames } from '../../engine/odata/options/apply.ts'
import { canonicalFunctions } from '../../engine/odata/expressions/functions.ts'
import { valueFunctionNames } from '../../engine/planner/expressions/function-signatures.ts'
import { tracksDeletions } from '../../store/delta.ts'
import type { ServiceCapabilities } from '../../engine/formats/csdl/capabilities.ts'

export const capabilities: ServiceCapabilities = {
  schemaVersion,
  conformance: 'Advanced',
  filterFunctions: valueFunctionNames().filter((name) => canonicalFunctions.has(name)),
  expandLevelsMax: 5,
  isSearchable: true,
  transformationsOf: (resource) => (resource === exportable ? [] : transformationNames),
  writeCapabilitiesOf: ({ wire }: Resource) => ({
    insertable: isRoute('POST', wire),
    updateMethods: updateMethods.filter((method) => isRoute(method, `${wire}(:id)`)),
    deletable: isRoute('DELETE', `${wire}(:id)`),
  }),
  tracksChanges: tracksDeletions,
}

const updateMethods = ['PATCH', 'PUT'] as const

/** Paths are compared without letter case. */
function isRoute(method: Method, path: string): boolean {
  const addresses = serviceRoots.map((root) => `/${root}/${path}`.toLowerCase())
  return routes.some((one) => one.method === method && addresses.includes(one.path.toLowerCase()))
}
