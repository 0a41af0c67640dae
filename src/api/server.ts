// Assembles the API server: route table, public routes, batch, OData fallback, admission checks.
import { comparable, finderOf, rowsBelowAny, type Row } from './addresses.ts'
import { findsBatch, handlesBatch } from './batch/batch.ts'
import { openRoutes } from './public-routes.ts'
import { openapi } from './openapi/openapi.ts'
import type { Operation } from './operation.ts'
import type { RunningKeys } from './write-pipeline/idempotency.ts'
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
import type { Store } from '../store/store.ts'

export interface ApiOptions {
  readonly store: Store
  /** Microseconds UTC. */
  readonly clock: () => number
  readonly runningKeys: RunningKeys
  readonly gate: Gate
  readonly minting: Minting
  readonly version: string
  /** Without a trailing slash; '' when the server has no public URL. */
  readonly publicUrl: string
  /** Accepted `Host` names, besides that of the public URL and loopback. */
  readonly allowedHosts: readonly string[]
  /** Endpoints outside the API: those of the browser app. */
  readonly beside?: readonly Endpoint[]
  /** Headers of every reply, such as `X-Sandbox`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Middleware around every request. */
  readonly around?: (request: Request, next: () => Promise<Reply>) => Promise<Reply>
  /** Proxies whose forwarding headers are trusted. */
  readonly trustProxy?: Networks
  /** Additional models to serve. */
  readonly services?: readonly Service[]
  readonly degraded?: () => readonly string[]
  /** Called when the server is found to be set up. */
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
  /** Some HTTP clients send `Accept: text/html`, Java's by default: below the API paths they get JSON all the same. */
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
    // A path without a route: resolved below a service root, or an error.
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
    ...routes.map(({ method, path, operation }): Row => {
      const bodyBytesMax = bodyBytesMaxOf(operation, limits)
      return { method, path, work: { handle: operation.handle, bodyBytesMax } }
    }),
    ...openRoutes.map(({ method, path }): Row => ({ method, path, work: null })),
    ...batchRows(roots).map((row): Row => ({ ...row, work: null })),
  ]
}

/** Sets can be written below every root, not only at the paths of the route table. */
function writesBelow(path: string, limits: Limits): Row[] {
  return Object.entries(writesAt(path, writesOfSets)).map(([method, operation]): Row => {
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
    // Read for each request: a reload may change them.
    if (!hosts.has(host) && !options.allowedHosts.includes(host)) throw new Fault('UnknownHost')
    // Paths that are served before set-up, `/livez` among them, do not need the database.
    return isReady || beforeSetUp.has(comparable(request.path)) ? undefined : requireSetUp()
  }
}

/** HSTS for requests over TLS only. */
function commonHeaders(
  { headers }: ApiOptions,
  isOverTls: ServerOptions['isOverTls'],
): ServerOptions['headers'] {
  const plain = { ...protectiveHeaders, ...headers }
  const overTls = { ...plain, 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' }
  return (request) => (request !== null && isOverTls(request) ? overTls : plain)
}

/** Keeps browsers from rendering or caching a reply, unless the reply sets other values. */
const protectiveHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
}
