// The whole interface as a server: the route table, what is open to all, and what is refused before either.
import { comparable, finderOf, rowsBelowAny, type Row } from './addresses.ts'
import { findsBatch, handlesBatch } from './batch/batch.ts'
import { openRoutes } from './public-routes.ts'
import { openapi } from './openapi/openapi.ts'
import type { Operation, Serving } from './operation.ts'
import { refuse } from './error-reply.ts'
import { rootOf } from './odata/resource-url.ts'
import { protocolOf } from './odata/protocol.ts'
import { serviceOf, type Service } from './odata/service-root.ts'
import { routes, serviceRoots, writesOfSets } from './routes.ts'
import { writesAt } from './write-pipeline/write-address.ts'
import type { Gate } from '../auth/authenticator/authenticator.ts'
import type { Minting } from '../auth/tokens/credential-factory.ts'
import { originOf } from '../auth/authenticator/client-address.ts'
import { Seal } from '../auth/tokens/encryptor.ts'
import { Fault } from '../errors/catalog.ts'
import { limits as usualLimits, type Limits } from '../http/limits.ts'
import type { Endpoint, Reply, Request } from '../http/request.ts'
import { createServer, type HttpServer, type ServerOptions } from '../http/server.ts'
import type { Networks } from '../lib/network.ts'
import { dagsverk } from '../model/service-schema.ts'
import { isSetUp } from '../store/accounts/settings.ts'

export interface ApiOptions extends Omit<Serving, 'gate' | 'seal'> {
  readonly gate: Gate
  readonly minting: Minting
  readonly version: string
  /** Without a slash at its end; '' on a server without a public name. */
  readonly publicUrl: string
  /** Host names the server answers to, beside its public one and those of loopback. */
  readonly allowedHosts: readonly string[]
  /** What is served beside the interface: the browser app. */
  readonly beside?: readonly Endpoint[]
  /** Carried by every answer, like `X-Sandbox`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Stands around the answer to every request. */
  readonly around?: (request: Request, answer: () => Promise<Reply>) => Promise<Reply>
  /** Whose word is taken for how the caller came. */
  readonly trustProxy?: Networks
  /** Other models that are served beside the house's own. */
  readonly services?: readonly Service[]
  readonly degraded?: () => readonly string[]
  /** Told as soon as the server is found to belong to somebody. */
  readonly onOwned?: () => void
  readonly log?: ServerOptions['log']
  readonly onAnswer?: ServerOptions['onAnswer']
  readonly limits?: Limits
}

export function createApi(options: ApiOptions): HttpServer {
  const { around, limits = usualLimits } = options
  const isOverTls = (request: Request) =>
    options.trustProxy === undefined
      ? request.secure
      : originOf(request, options.trustProxy).isSecure
  const serving = { ...options, seal: new Seal(options.minting, 'links') }
  const state = {
    ...serving,
    limits,
    degraded: options.degraded ?? (() => []),
    isStopping: () => server.isStopping(),
    document: openapi(options.version, options.publicUrl),
  }
  const services = [{ schema: dagsverk, roots: serviceRoots }, ...(options.services ?? [])]
  const works = services.map(serviceOf)
  const workAt = (path: string) => {
    for (const work of works) {
      const found = work(path)
      if (found !== null) return found
    }
    return null
  }
  const roots = services.flatMap((service) => service.roots)
  const interfaceRoots = new Set(['dev', ...roots, 'openapi.json', 'limits'])
  /** Programs send `Accept: text/html` too, Java's by default: they get JSON at the addresses of the interface. */
  const isForPeople = ({ method, path }: Request): boolean =>
    (method === 'GET' || method === 'HEAD') && !interfaceRoots.has(rootOf(path).toLowerCase())
  const protocol = protocolOf(roots)
  const refuseSpoken: ServerOptions['refuse'] = (error, request) =>
    protocol.spoken(request, refuse(error, request, isForPeople(request)))
  const rows = rowsOf(roots, limits)
  const find = finderOf({
    rows,
    workAt,
    writesAt: (path) => [
      ...writesBelow(path, limits),
      ...rowsBelowAny(path, rows, serviceRoots).filter(({ method }) => method !== 'GET'),
    ],
    queryBytesMax: limits.bodyBytesMax,
  })
  const batch = handlesBatch({
    ...protocol,
    find,
    refuse: refuseSpoken,
    gate: options.gate,
    onTrouble: (about, { id }) => {
      const { error, refusal: _, ...noted } = about
      server.log.error({ id, ...noted, err: error })
    },
    bodyBytesMax: limits.bodyBytesMax,
  })
  const speaking = (handle: Endpoint['handle']) => async (request: Request) => {
    protocol.require(request)
    return protocol.spoken(request, await handle(request))
  }
  const within = (handle: Endpoint['handle']): Endpoint['handle'] =>
    around === undefined
      ? speaking(handle)
      : (request) => around(request, () => speaking(handle)(request))
  const endpoints: Endpoint[] = [
    ...routes.map(({ method, path, operation }): Endpoint => ({
      method,
      path,
      bodyBytesMax: bodyBytesMaxOf(operation, limits),
      handle: within((request) => operation.handle(request, serving)),
    })),
    ...openRoutes.map(({ method, path, answer }): Endpoint => ({
      method,
      path,
      bodyBytesMax: limits.openBodyBytesMax,
      handle: within((request) => answer(request, state)),
    })),
    ...batchRows(roots).map(({ method, path }): Endpoint => ({
      method,
      path,
      bodyBytesMax: limits.listBytesMax,
      handle: within((request) => (method === 'POST' ? batch : findsBatch)(request, serving)),
    })),
    ...(options.beside ?? []).map((endpoint) => ({ ...endpoint, handle: within(endpoint.handle) })),
  ]
  const server = createServer({
    endpoints,
    // What has no route of its own: read below a service root, or refused.
    fallback: within(async (request) => find(request).handle(request, serving)),
    refuse: refuseSpoken,
    admit: admission(options),
    isOverTls,
    headers: commonHeaders(options, isOverTls),
    log: options.log ?? false,
    ...(options.onAnswer === undefined ? {} : { onAnswer: options.onAnswer }),
    limits,
  })
  return server
}

function rowsOf(roots: readonly string[], limits: Limits): Row[] {
  return [
    ...routes.map(({ method, path, operation }) => {
      const bodyBytesMax = bodyBytesMaxOf(operation, limits)
      return { method, path, work: { handle: operation.handle, bodyBytesMax } }
    }),
    ...openRoutes.map(({ method, path }) => ({ method, path, work: null })),
    ...batchRows(roots).map((row) => ({ ...row, work: null })),
  ]
}

/** The sets are written at every root, not only at the addresses of the table. */
function writesBelow(path: string, limits: Limits): Row[] {
  return Object.entries(writesAt(path, writesOfSets)).map(([method, operation]) => {
    const bodyBytesMax = bodyBytesMaxOf(operation, limits)
    return { method, path, work: { handle: operation.handle, bodyBytesMax } }
  })
}

function batchRows(roots: readonly string[]) {
  return roots.flatMap((root) =>
    (['HEAD', 'POST'] as const).map((method) => ({ method, path: `/${root}/$batch` })),
  )
}

function bodyBytesMaxOf({ body }: Operation, limits: Limits): number {
  return body === 'many' || body === 'either' ? limits.listBytesMax : limits.bodyBytesMax
}

function admission(options: ApiOptions): ServerOptions['admit'] {
  const { store, publicUrl, onOwned } = options
  const publicHost = publicUrl === '' ? [] : [new URL(publicUrl).hostname]
  const hosts = new Set(['localhost', '127.0.0.1', '[::1]', ...publicHost])
  const beforeSetUp = new Set(openRoutes.filter(({ isEarly }) => isEarly).map(({ path }) => path))
  let isReady = false
  const requireSetUp = async () => {
    isReady = await isSetUp(store)
    if (!isReady) throw new Fault('NotInitialised')
    onOwned?.()
  }
  return (request) => {
    const host = (request.header('host') ?? '').replace(/:\d+$/, '').toLowerCase()
    // The allowed ones are asked for each time: an operator may change them.
    if (!hosts.has(host) && !options.allowedHosts.includes(host)) throw new Fault('UnknownHost')
    // The addresses that are served before set-up, `/livez` among them, do not need the database.
    return isReady || beforeSetUp.has(comparable(request.path)) ? undefined : requireSetUp()
  }
}

/** Whoever came over TLS shall always come over TLS. */
function commonHeaders(
  { headers }: ApiOptions,
  isOverTls: ServerOptions['isOverTls'],
): ServerOptions['headers'] {
  const plain = { ...protectiveHeaders, ...headers }
  const overTls = { ...plain, 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' }
  return (request) => (request !== null && isOverTls(request) ? overTls : plain)
}

/** For answers that a browser should never take for a page, nor keep where nothing else is said. */
const protectiveHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
}
