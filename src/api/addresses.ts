// Route lookup: finds the handler of a request by path and method, or the 404 or 405 error.
import type { Found } from './batch/run-batch.ts'
import type { Handler } from './operation.ts'
import { queriedPath, withQueryOfBody } from './odata/query-in-body.ts'
import { Fault } from '../errors/catalog.ts'
import type { Request } from '../http/request.ts'
import { phrase } from '../errors/messages.ts'

export interface Row {
  readonly method: string
  readonly path: string
  /** Null for paths that are not below a service root, and for `$batch` itself. */
  readonly work: Found | null
}

export interface Addresses {
  readonly rows: readonly Row[]
  /** The read at a path that is not in the table. */
  readonly workAt: (path: string) => Handler | null
  /** The writes at a path that is not in the table. */
  readonly writesAt: (path: string) => readonly Row[]
  /** The maximum body size of a read with its query options in the body (`POST …/$query`). */
  readonly queryBytesMax: number
}

/**
 * Returns the lookup: a row of the table, or the read or write that the path resolves to. The lookup throws `NotFound`,
 * `MethodNotAllowed`, `InvalidEncoding`, and `NotSupported` for a batch inside a batch.
 */
export function finderOf({ rows, workAt, writesAt, queryBytesMax }: Addresses) {
  const readByBody = (method: string, path: string): Found => {
    const handle = workAt(path)
    if (handle === null || method !== 'POST')
      throw refuseAddress(method, handle === null ? [] : ['POST'])
    return { handle: withQueryOfBody(handle, path), bodyBytesMax: queryBytesMax }
  }
  return ({ method, path }: Pick<Request, 'method' | 'path'>): Found => {
    const asked = comparable(path)
    const there = rows.filter((row) => isAddressOf(row, asked))
    const row = there.find((one) => answers(one.method, method))
    if (row !== undefined) {
      if (row.work !== null) return row.work
      throw new Fault('NotSupported', { says: { feature: phrase('aBatchInside') } })
    }
    const queried = there.length === 0 ? queriedPath(path) : null
    if (queried !== null) return readByBody(method, queried)
    const handle = there.length === 0 ? workAt(path) : null
    if (handle === null)
      throw refuseAddress(
        method,
        there.map((one) => one.method),
      )
    if (answers('GET', method)) return { handle, bodyBytesMax: 0 }
    const writes = writesAt(path)
    const write = writes.find((one) => one.method === method)?.work ?? null
    if (write === null) throw refuseAddress(method, ['GET', ...writes.map((one) => one.method)])
    return write
  }
}

/** The rows with the same path below any of the roots: every root serves every set. */
export function rowsBelowAny<R extends Pick<Row, 'path'>>(
  path: string,
  rows: readonly R[],
  roots: readonly string[],
): readonly R[] {
  const [root = '', ...rest] = comparable(path)
    .split('/')
    .filter((part) => part !== '')
  if (!roots.includes(root)) return []
  const places = roots.map((one) => `/${[one, ...rest].join('/')}`)
  return rows.filter((row) => places.some((place) => isAddressOf(row, place)))
}

function answers(method: string, asked: string): boolean {
  return method === asked || (method === 'GET' && asked === 'HEAD')
}

/** 405 when the path exists for another method, otherwise 404. */
function refuseAddress(method: string, methods: readonly string[]): Fault {
  if (methods.length === 0) return new Fault('NotFound', { says: { what: phrase('theAddress') } })
  const allow = [
    ...new Set(methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]))),
  ].join(', ')
  return new Fault('MethodNotAllowed', { says: { method, allow }, headers: { Allow: allow } })
}

/** As the router compares paths: lower case, without doubled or trailing slashes; `%2f` is no slash. */
export function comparable(path: string): string {
  const plain = path.replace(/\/+/g, '/').replace(/\/$/, '').toLowerCase()
  try {
    return decodeURI(plain)
  } catch {
    throw new Fault('InvalidEncoding')
  }
}

function isAddressOf({ path }: Pick<Row, 'path'>, asked: string): boolean {
  const [start = '', end] = comparable(path).split(/:\w+/)
  if (end === undefined) return asked === start
  const hasValue = asked.length > start.length + end.length
  return hasValue && asked.startsWith(start) && asked.endsWith(end)
}
