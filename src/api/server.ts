// Assembles the API server: route table, public routes, batch, OData fallback, admission checks.
import { createAdmissionCheck, type AdmissionOptions } from './admission.ts'
import { batchRoutes, bodyBytesMaxOf, routeEntries, writeEntries } from './route-entries.ts'
import { createRouteFinder, rowsBelowAnyRoot } from './route-lookup.ts'
import { probeBatch, batchHandler } from './batch/batch.ts'
import { createCrossOrigin } from './cross-origin.ts'
import { protectiveHeaders } from './protective-headers.ts'
import { publicRoutes } from './public-routes.ts'
import type { OpenapiDocument, ServerState } from './public-route.ts'
import type { RunningKeys } from './write-pipeline/running-keys.ts'
import { toErrorReply } from './error-reply.ts'
import { serviceRootOf } from './odata/resource-url.ts'
import { createRouteLabels } from './odata/route-label.ts'
import { createProtocol } from './odata/protocol.ts'
import { createServiceResolver, type ODataService } from './odata/service-root.ts'
import { routes, serviceRoots } from './routes.ts'
import type { Authenticator } from '../auth/authenticator/authenticator.ts'
import type { CryptoContext } from '../auth/tokens/credential-factory.ts'
import { getClientConnection, isClientSecure } from '../auth/authenticator/client-address.ts'
import { Encryptor } from '../auth/tokens/encryptor.ts'
import { limits as usualLimits, type Limits } from '../http/limits.ts'
import type { Endpoint, Reply, Request } from '../http/request.ts'
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../http/server.ts'
import { networkOf, type Networks } from '../lib/network.ts'
import { shareRunning } from '../lib/share-running.ts'
import { serviceSchema } from '../model/service-schema.ts'
import { exportsSuspendedSince } from '../store/export/export-suspension.ts'
import type { Store } from '../store/store.ts'

export interface ApiOptions extends AdmissionOptions {
  /** Microseconds UTC. */
  readonly clock: () => number
  readonly monotonicMs: HttpServerOptions['monotonicMs']
  readonly runningKeys: RunningKeys
  readonly authenticator: Authenticator
  readonly cryptoContext: CryptoContext
  readonly version: string
  readonly commit?: string | undefined
  /** Other origins whose pages may call the API: `https://app.example.no`, or `*`. */
  readonly corsOrigins: readonly string[]
  /** Headers of every reply, such as `X-Sandbox`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Runs before and after the handler of every request. */
  readonly middleware?: (request: Request, next: () => Promise<Reply>) => Promise<Reply>
  /** Proxies whose forwarding headers are trusted. */
  readonly trustProxy: Networks
  /** Additional models to serve. */
  readonly services?: readonly ODataService[]
  readonly unavailableFeatures?: () => readonly string[]
  readonly log?: HttpServerOptions['log']
  readonly onReply?: HttpServerOptions['onReply']
  readonly limits?: Limits
}

export function createApi(options: ApiOptions): HttpServer {
  const { middleware, limits = usualLimits } = options
  const isOverTls = (request: Request) => {
    // With neither, no proxy needs to be looked up.
    const canBeSecure = request.secure || request.header('x-forwarded-proto') !== undefined
    return canBeSecure && isClientSecure(request, options.trustProxy)
  }
  const api = { ...options, encryptor: new Encryptor(options.cryptoContext, 'links') }
  let document: Promise<OpenapiDocument> | undefined
  const state: ServerState = {
    ...api,
    limits,
    unavailableFeatures: options.unavailableFeatures ?? (() => []),
    checkDatabase: databaseCheck(options.store),
    isStopping: () => server.isStopping(),
    document: () => {
      // A failed import must not be remembered: an upgrade replaces the files of a running server.
      document ??= describeApi(options).catch((error: unknown) => {
        document = undefined
        throw error
      })
      return document
    },
  }
  const services = [{ schema: serviceSchema, roots: serviceRoots }, ...(options.services ?? [])]
  const resolvers = services.map(createServiceResolver)
  const readAt = (path: string) => {
    for (const resolve of resolvers) {
      const found = resolve(path)
      if (found !== null) return found
    }
    return null
  }
  const roots = services.flatMap((service) => service.roots)
  const interfaceRoots = new Set(['dev', ...roots, 'openapi.json', 'limits'])
  /** Some HTTP clients send `Accept: text/html`, Java's by default: below the API paths they get JSON all the same. */
  const isBrowserPage = ({ method, path }: Request): boolean =>
    (method === 'GET' || method === 'HEAD') && !interfaceRoots.has(serviceRootOf(path).toLowerCase())
  const protocol = createProtocol(roots)
  const toVersionedErrorReply: HttpServerOptions['toErrorReply'] = (error, request) =>
    protocol.withVersionHeaders(request, toErrorReply(error, request, isBrowserPage(request)))
  const crossOrigin = createCrossOrigin(
    () => options.corsOrigins,
    (path) => interfaceRoots.has(serviceRootOf(path).toLowerCase()),
  )
  const rows = routeEntries(roots, limits)
  const setPaths = services.flatMap((service) =>
    service.roots.flatMap((root) => service.schema.resources.map(({ wire }) => `/${root}/${wire}`)),
  )
  const documentPaths = roots.flatMap((root) =>
    ['', '/$metadata', '/$entity', '/$all'].map((name) => `/${root}${name}`),
  )
  const find = createRouteFinder({
    rows,
    otherEndpoints: (options.extraEndpoints ?? []).filter(({ isFallback }) => isFallback !== true),
    readAt,
    writesAt: (path) => writeEntries(path, limits),
    rowsAt: (path) => rowsBelowAnyRoot(path, rows, serviceRoots),
    queryBytesMax: limits.bodyBytesMax,
    setPaths,
  })
  const batch = batchHandler({
    ...protocol,
    find,
    toErrorReply: toVersionedErrorReply,
    authenticator: options.authenticator,
    onServerError: (about, { id }) => {
      const { error, apiError: _, ...logged } = about
      // Only a bug has an error; what is not supported or not available is a warning, as outside of a batch.
      if (error === undefined) server.log.warn({ id, ...logged })
      else server.log.error({ id, ...logged, err: error })
    },
    bodyBytesMax: limits.bodyBytesMax,
  })
  const withProtocol = (handle: Endpoint['handle']) => async (request: Request) => {
    protocol.requireSupported(request)
    return protocol.withVersionHeaders(request, await handle(request))
  }
  const withMiddleware = (handle: Endpoint['handle']): Endpoint['handle'] =>
    middleware === undefined ? handle : (request) => middleware(request, () => handle(request))
  const withCrossOrigin = (handle: Endpoint['handle']) => (request: Request) => {
    if (options.corsOrigins.length === 0) return handle(request)
    return handleCrossOrigin(request, handle)
  }
  const handleCrossOrigin = async (request: Request, handle: Endpoint['handle']) =>
    crossOrigin.withHeaders(request, crossOrigin.preflight(request) ?? (await handle(request)))
  const wrapHandler = (path: string, handle: Endpoint['handle']): Endpoint['handle'] =>
    withCrossOrigin(withMiddleware(protocol.isOfService(path) ? withProtocol(handle) : handle))
  const endpoints: Endpoint[] = [
    ...routes.map(({ method, path, operation }): Endpoint => ({
      method,
      path,
      bodyBytesMax: bodyBytesMaxOf(operation, limits),
      handle: wrapHandler(path, (request) => operation.handle(request, api)),
    })),
    ...publicRoutes.map(({ method, path, handle }): Endpoint => ({
      method,
      path,
      bodyBytesMax: limits.publicBodyBytesMax,
      handle: wrapHandler(path, (request) => handle(request, state)),
    })),
    ...batchRoutes(roots).map(({ method, path }): Endpoint => ({
      method,
      path,
      bodyBytesMax: limits.listBytesMax,
      handle: wrapHandler(path, (request) => (method === 'POST' ? batch : probeBatch)(request, api)),
    })),
    ...(options.extraEndpoints ?? []).map((endpoint) => ({
      ...endpoint,
      handle: wrapHandler(endpoint.path, endpoint.handle),
    })),
  ]
  const server = createHttpServer({
    endpoints,
    // A path without a route: resolved below a service root, or an error.
    fallback: withCrossOrigin(withMiddleware(withProtocol(async (request) => find(request).handle(request, api)))),
    // The spelling of the route table is that of `dagsverk routes`.
    fallbackRoute: createRouteLabels([...documentPaths, ...setPaths, ...rows.map(({ path }) => path)]),
    toErrorReply: (error, request) => crossOrigin.withHeaders(request, toVersionedErrorReply(error, request)),
    admit: createAdmissionCheck(options),
    isOverTls,
    clientNetwork: (request) => networkOf(getClientConnection(request, options.trustProxy).address),
    isProxy: (address) => options.trustProxy.has(address),
    monotonicMs: options.monotonicMs,
    headers: { ...protectiveHeaders, ...options.headers },
    log: options.log ?? false,
    ...(options.onReply === undefined ? {} : { onReply: options.onReply }),
    limits,
  })
  return server
}

/** Loaded at the first request: few servers need it. */
async function describeApi({ version, publicUrl }: ApiOptions): Promise<OpenapiDocument> {
  const { openapi } = await import('./openapi/openapi.ts')
  return openapi(version, publicUrl)
}

/** Anybody may call it, so it does not run more than once at a time. */
function databaseCheck(store: Store): ServerState['checkDatabase'] {
  return shareRunning(async () => {
    await store.ping()
    return { isExportSuspended: (await exportsSuspendedSince(store.health)) !== null }
  })
}
