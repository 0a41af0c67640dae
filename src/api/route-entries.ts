// Route entries: the operations, public routes and batches of the route table, with the size of their bodies.
import type { Operation } from './operation.ts'
import { publicRoutes } from './public-routes.ts'
import type { RouteEntry } from './route-lookup.ts'
import { routes, writesByResource } from './routes.ts'
import { findWriteOperations } from './write-pipeline/path-writes.ts'
import type { Limits } from '../http/limits.ts'

export function routeEntries(roots: readonly string[], limits: Limits): RouteEntry[] {
  return [
    ...routes.map(({ method, path, operation }) => toEntry(method, path, operation, limits)),
    ...publicRoutes.map(({ method, path }): RouteEntry => ({ method, path, handler: null })),
    ...batchRoutes(roots).map((row): RouteEntry => ({ ...row, handler: null })),
  ]
}

/** Sets can be written below every root, not only at the paths of the route table. */
export function writeEntries(path: string, limits: Limits): RouteEntry[] {
  return Object.entries(findWriteOperations(path, writesByResource)).map(([method, operation]) =>
    toEntry(method, path, operation, limits),
  )
}

function toEntry(method: string, path: string, operation: Operation, limits: Limits): RouteEntry {
  return { method, path, handler: { handle: operation.handle, bodyBytesMax: bodyBytesMaxOf(operation, limits) } }
}

export function batchRoutes(roots: readonly string[]) {
  return roots.flatMap((root) => (['HEAD', 'POST'] as const).map((method) => ({ method, path: `/${root}/$batch` })))
}

export function bodyBytesMaxOf({ body }: Operation, limits: Limits): number {
  return body === 'many' || body === 'either' ? limits.listBytesMax : limits.bodyBytesMax
}
