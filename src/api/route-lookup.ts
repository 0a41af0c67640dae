// Route lookup: finds the handler of a request by path and method, or the 404 or 405 error.
import type { BoundedHandler } from './batch/run-batch.ts'
import type { Handler } from './operation.ts'
import { pathOfQueryInBody, withQueryInBody } from './odata/query-in-body.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Request } from '../http/request.ts'
import { message } from '../errors/messages.ts'
import { urlDecodingError } from '../http/request-line.ts'
import { findIntendedName } from '../lib/closest-match.ts'

export interface RouteEntry {
  readonly method: string
  readonly path: string
  /** Null for paths that are not below a service root, and for `$batch` itself. */
  readonly handler: BoundedHandler | null
}

export interface RouteTable {
  readonly rows: readonly RouteEntry[]
  /** Endpoints outside the interface: requests of a batch do not find them, and mistyped paths are not compared with theirs. */
  readonly otherEndpoints: readonly Pick<RouteEntry, 'method' | 'path'>[]
  /** The read at a path that is not in the table. */
  readonly readAt: (path: string) => Handler | null
  /** The writes at a path that has a read and is not in the table. */
  readonly writesAt: (path: string) => readonly RouteEntry[]
  /** The rows for a path below another service root. */
  readonly rowsAt: (path: string) => readonly RouteEntry[]
  /** The maximum body size of a read with its query options in the body (`POST …/$query`). */
  readonly queryBytesMax: number
  /** The paths of entity sets, which a mistyped path is compared with, besides those of the rows. */
  readonly setPaths: readonly string[]
}

/**
 * Returns the lookup: a row of the table, or the read or write that the path resolves to. The lookup throws `NotFound`,
 * `MethodNotAllowed`, `InvalidEncoding`, `InvalidUtf8`, and `NotSupported` for a batch inside a batch.
 */
export function createRouteFinder({
  rows,
  otherEndpoints,
  readAt,
  writesAt,
  rowsAt,
  queryBytesMax,
  setPaths,
}: RouteTable) {
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
  const readWithQueryInBody = (method: string, path: string): BoundedHandler => {
    const handle = readAt(path)
    if (handle === null) throw notFoundError(path)
    if (method !== 'POST') throw methodError(method, ['POST'])
    return { handle: withQueryInBody(handle, path), bodyBytesMax: queryBytesMax }
  }
  return ({ method, path }: Pick<Request, 'method' | 'path'>): BoundedHandler => {
    const normalized = normalizePath(path)
    const matching = rows.filter((row) => matchesPath(row, normalized))
    const row = matching.find((one) => matchesMethod(one.method, method))
    if (row !== undefined) {
      if (row.handler !== null) return row.handler
      throw new ApiError('NotSupported', { params: { feature: message('aBatchInside') } })
    }
    if (matching.length > 0) throw methodError(method, [...methodsOf(matching), ...otherMethodsAt(normalized)])
    const queryPath = pathOfQueryInBody(path)
    if (queryPath !== null) return readWithQueryInBody(method, queryPath)
    const handle = readAt(path)
    if (handle !== null && matchesMethod('GET', method)) return { handle, bodyBytesMax: 0 }
    const served = [...(handle === null ? [] : writesAt(path)), ...rowsAt(path)]
    const found = served.find((one) => matchesMethod(one.method, method))?.handler ?? null
    if (found !== null) return found
    const methods = [...(handle === null ? [] : ['GET']), ...methodsOf(served), ...otherMethodsAt(normalized)]
    if (methods.length === 0 || methods.some((one) => matchesMethod(one, method))) throw notFoundError(path)
    throw methodError(method, methods, intendedPath(method, normalized))
  }
}

/** The rows with the same path below any of the roots, a key in parentheses or as a segment: every root serves every set. */
export function rowsBelowAnyRoot<R extends Pick<RouteEntry, 'path'>>(
  path: string,
  rows: readonly R[],
  roots: readonly string[],
): readonly R[] {
  const [root = '', ...rest] = normalizePath(path)
    .split('/')
    .filter((part) => part !== '')
  if (!roots.includes(root)) return []
  const paths = [rest.join('/'), rest.join('/').replace(/^([^/(]+)\/(\d+)(?=\/|$)/, '$1($2)')]
  const candidates = roots.flatMap((one) => paths.map((end) => `/${one}/${end}`))
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
