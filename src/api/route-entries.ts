// Route entries: the operations, public routes and batches that the server serves, with the size of their bodies.
import { probeBatch } from './batch/batch.ts'
import type { BoundedHandler } from './batch/run-batch.ts'
import type { Handler, Operation } from './operation.ts'
import type { ServerState } from './public-route.ts'
import { publicRoutes } from './public-routes.ts'
import { routes, writesByResource } from './routes.ts'
import { findWriteOperations } from './write-pipeline/path-writes.ts'
import type { Limits } from '../http/limits.ts'
import type { Method } from '../http/request.ts'

export interface RouteEntry extends BoundedHandler {
  readonly method: Method
  readonly path: string
  /** Requests of a batch cannot go there: to paths that are not below a service root, and to `$batch` itself. */
  readonly isOutsideBatch?: true
}

interface RouteContext {
  readonly roots: readonly string[]
  readonly limits: Limits
  readonly state: ServerState
  readonly batch: Handler
}

export function routeEntries({ roots, limits, state, batch }: RouteContext): RouteEntry[] {
  const batchEntry = { bodyBytesMax: limits.listBytesMax, isOutsideBatch: true } as const
  return [
    ...routes.map(({ method, path, operation }) => toEntry(method, path, operation, limits)),
    ...publicRoutes.map(({ method, path, handle }): RouteEntry => ({
      method,
      path,
      handle: (request) => handle(request, state),
      bodyBytesMax: limits.publicBodyBytesMax,
      isOutsideBatch: true,
    })),
    ...roots.flatMap((root): RouteEntry[] => [
      { ...batchEntry, method: 'HEAD', path: `/${root}/$batch`, handle: probeBatch },
      { ...batchEntry, method: 'POST', path: `/${root}/$batch`, handle: batch },
    ]),
  ]
}

/** Sets can be written below every root, not only at the paths of the route table. */
export function writeEntries(path: string, limits: Limits): RouteEntry[] {
  const operations = findWriteOperations(path, writesByResource)
  return writeMethods.flatMap((method) => {
    const operation = operations[method]
    return operation === undefined ? [] : toEntry(method, path, operation, limits)
  })
}

const writeMethods = ['POST', 'PATCH', 'PUT', 'DELETE'] as const

function toEntry(method: Method, path: string, { handle, body }: Operation, limits: Limits): RouteEntry {
  const bodyBytesMax = body === 'many' || body === 'either' ? limits.listBytesMax : limits.bodyBytesMax
  return { method, path, handle, bodyBytesMax }
}
