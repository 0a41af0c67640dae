// Route lookup: finds the handler of a request by path and method, or the 404 or 405 error.
import type { BoundedHandler } from './batch/run-batch.ts'
import type { Handler } from './operation.ts'
import { pathOfQueryInBody, withQueryInBody } from './odata/query-in-body.ts'
import { createServiceResolver, type ODataService } from './odata/service-root.ts'
import { writeEntries, type RouteEntry } from './route-entries.ts'
import { serviceRoots } from './routes.ts'
import { ApiError, notSupportedError } from '../errors/api-error.ts'
import type { Limits } from '../http/limits.ts'
import type { Request } from '../http/request.ts'
import { message } from '../errors/messages.ts'
import { urlDecodingError } from '../http/request-line.ts'
import { findIntendedName } from '../lib/closest-match.ts'

export interface RouteTable {
  readonly rows: readonly RouteEntry[]
  readonly services: readonly ODataService[]
  /** The paths of entity sets, which a mistyped path is compared with, besides those of the rows. */
  readonly setPaths: readonly string[]
  /** Endpoints outside the interface: requests of a batch do not find them, and mistyped paths are not compared with theirs. */
  readonly otherEndpoints: readonly Pick<RouteEntry, 'method' | 'path'>[]
  readonly limits: Limits
}

/**
 * Returns the lookup: a row of the table, or the read or write that the path resolves to. The lookup throws `NotFound`,
 * `MethodNotAllowed`, `InvalidEncoding`, `InvalidUtf8`, and `NotSupported` for a batch inside a batch.
 */
export function createRouteFinder({ rows, services, setPaths, otherEndpoints, limits }: RouteTable) {
  const resolvers = services.map(createServiceResolver)
  const knownPaths = [...new Set([...rows.map(({ path }) => path), ...setPaths])]
  const notFoundError = (path: string): ApiError => {
    const nearest = nearestPath(path, knownPaths)
    const params = { what: message('thisUrl'), nearest }
    return new ApiError('NotFound', { params })
  }
  /** The closest path with this method. `Transaksjon/Bach` is parsed as the key `Bach`, so a mistyped action is found as a record. */
  const intendedPath = (method: string, normalized: string): string | undefined => {
    const isCandidate = (row: RouteEntry) =>
      matchesMethod(row.method, method) && depthOf(row.path) === depthOf(normalized)
    const candidates = rows.filter(isCandidate).map((row) => row.path)
    return findIntendedName(normalized, candidates)
  }
  const methodsOf = (found: readonly Pick<RouteEntry, 'method'>[]) => found.map(({ method }) => method)
  const otherMethodsAt = (normalized: string) =>
    methodsOf(otherEndpoints.filter((other) => matchesPath(other, normalized)))
  /** The read at a path that is not in the table. */
  const readAt = (path: string): Handler | null => {
    for (const resolve of resolvers) {
      const found = resolve(path)
      if (found !== null) return found
    }
    return null
  }
  const readWithQueryInBody = (method: string, path: string): BoundedHandler => {
    const handle = readAt(path)
    if (handle === null) throw notFoundError(path)
    if (method !== 'POST') throw methodError(method, ['POST'])
    return { handle: withQueryInBody(handle, path), bodyBytesMax: limits.bodyBytesMax }
  }
  return ({ method, path }: Pick<Request, 'method' | 'path'>): BoundedHandler => {
    const normalized = normalizePath(path)
    const matching = rows.filter((row) => matchesPath(row, normalized))
    const row = matching.find((one) => matchesMethod(one.method, method))
    if (row !== undefined) {
      if (row.isOutsideBatch !== true) return row
      throw notSupportedError('aBatchInside')
    }
    if (matching.length > 0) throw methodError(method, [...methodsOf(matching), ...otherMethodsAt(normalized)])
    const queryPath = pathOfQueryInBody(path)
    if (queryPath !== null) return readWithQueryInBody(method, queryPath)
    const handle = readAt(path)
    if (handle !== null && matchesMethod('GET', method)) return { handle, bodyBytesMax: 0 }
    const writes = handle === null ? [] : writeEntries(path, limits)
    const served = [...writes, ...rowsBelowAnyRoot(path, rows)]
    const found = served.find((one) => matchesMethod(one.method, method))
    if (found !== undefined && found.isOutsideBatch !== true) return found
    const methods = [...(handle === null ? [] : ['GET']), ...methodsOf(served), ...otherMethodsAt(normalized)]
    if (methods.length === 0 || methods.some((one) => matchesMethod(one, method))) throw notFoundError(path)
    throw methodError(method, methods, intendedPath(method, normalized))
  }
}

/** The rows with the same path below any service root, a key in parentheses or as a segment: every root serves every set. */
export function rowsBelowAnyRoot<R extends Pick<RouteEntry, 'path'>>(path: string, rows: readonly R[]): readonly R[] {
  const [root = '', ...rest] = normalizePath(path)
    .split('/')
    .filter((part) => part !== '')
  if (!serviceRoots.some((one) => one === root)) return []
  const paths = [rest.join('/'), rest.join('/').replace(/^([^/(]+)\/(\d+)(?=\/|$)/, '$1($2)')]
  const candidates = serviceRoots.flatMap((one) => paths.map((end) => `/${one}/${end}`))
  return rows.filter((row) => candidates.some((candidate) => matchesPath(row, candidate)))
}

function depthOf(path: string): number {
  return path.split('/').length
}

function matchesMethod(method: string, requested: string): boolean {
  return method === requested || (method === 'GET' && requested === 'HEAD')
}

/**
 * The closest path, with the key of the mistyped one; or one that ends with the mistyped path, or that the mistyped path
 * ends with.
 */
function nearestPath(path: string, known: readonly string[]): string | undefined {
  const normalized = normalizePath(path)
  if (normalized === '') return undefined
  const [key] = /\([^()/]{1,40}\)/.exec(path) ?? []
  const wanted = key === undefined ? normalized : normalized.replace(/\([^()/]*\)/, '(:id)')
  const candidates = known.filter((one) => !one.includes(key === undefined ? ':' : '/:'))
  const nearest =
    findIntendedName(wanted, candidates) ??
    candidates.find((one) => {
      const lower = one.toLowerCase()
      return lower.endsWith(wanted) || wanted.endsWith(lower)
    })
  return nearest?.replace('(:id)', key ?? '')
}

function methodError(method: string, methods: readonly string[], nearest?: string): ApiError {
  const allow = [...new Set(methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])))].join(', ')
  const params = { method, allow, nearest }
  return new ApiError('MethodNotAllowed', { params, headers: { Allow: allow } })
}

/** As the router compares paths: lower case, without doubled or trailing slashes; `%2f` is no slash. */
export function normalizePath(path: string): string {
  const plain = path.replace(/\/+/g, '/').replace(/\/$/, '').toLowerCase()
  try {
    return decodeURI(plain)
  } catch (error) {
    throw urlDecodingError(plain, error)
  }
}

function matchesPath({ path }: Pick<RouteEntry, 'path'>, normalized: string): boolean {
  const [start = '', end] = normalizePath(path).split(/:\w+/)
  if (end === undefined) return normalized === start
  if (!normalized.startsWith(start) || !normalized.endsWith(end)) return false
  // A key is one segment: `Avdeling('10')/Prosjekter('P1')` is not a department.
  const value = normalized.slice(start.length, normalized.length - end.length)
  return value !== '' && !value.includes('/')
}
