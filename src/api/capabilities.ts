// What the service can do beyond its model, as metadata tells it.
import { schemaVersion } from '#api/odata-answer.ts'
import { routes, serviceRoots } from '#api/routes.ts'
import type { Method } from '#http/request.ts'
import type { Resource } from '#model/resource.ts'
import type { Service } from '#wire/csdl/capabilities.ts'

export const capabilities: Service = {
  schemaVersion,
  conformance: 'Minimal',
  filterFunctions: ['contains', 'endswith', 'startswith'],
  expandLevelsMax: 5,
  isSearchable: false,
  writesOf: ({ wire }: Resource) => ({
    insertable: isRoute('POST', wire),
    updatable: isRoute('PATCH', `${wire}(:id)`),
    deletable: isRoute('DELETE', `${wire}(:id)`),
  }),
}

/** Addresses are spelled as the document has them, and compared without letter case. */
const isRoute = (method: Method, path: string): boolean => {
  const addresses = serviceRoots.map((root) => `/${root}/${path}`.toLowerCase())
  return routes.some((one) => one.method === method && addresses.includes(one.path.toLowerCase()))
}
