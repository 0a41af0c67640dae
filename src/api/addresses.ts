// Which row of a table of addresses a request means, and the refusal of one that means none.
import type { Found } from './batch/run-batch.ts'
import type { Handler } from './operation.ts'
import { queriedPath, withQueryOfBody } from './odata/query-in-body.ts'
import { Fault } from '../errors/catalog.ts'
import type { Request } from '../http/request.ts'
import { phrase } from '../errors/messages.ts'

export interface Row {
  readonly method: string
  readonly path: string
  /** Null for what does not stand below a service root, or is a batch itself. */
  readonly work: Found | null
}

export interface Addresses {
  readonly rows: readonly Row[]
  /** What is read at an address that is no row. */
  readonly workAt: (path: string) => Handler | null
  /** What is written there. */
  readonly writesAt: (path: string) => readonly Row[]
  /** How long the options of a read may be where they stand in its body. */
  readonly queryBytesMax: number
}

/**
 * The work that a request means: a row of the table, or what is read or written at an address that is none. Throws
 * `NotFound`, `MethodNotAllowed`, `InvalidEncoding`, and `NotSupported` for a batch.
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

/** The rows that stand at the same place below one of the roots: each of them serves every set. */
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

/** An address that exists for another method says so; every other is unknown. */
function refuseAddress(method: string, methods: readonly string[]): Fault {
  if (methods.length === 0) return new Fault('NotFound', { says: { what: phrase('theAddress') } })
  const allow = [
    ...new Set(methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]))),
  ].join(', ')
  return new Fault('MethodNotAllowed', { says: { method, allow }, headers: { Allow: allow } })
}

/** As the router compares paths: without letter case, doubled or trailing slashes; `%2f` is no slash. */
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
