// Assembles the API server: route table, public routes, batch, OData fallback, admission checks.
import { createAdmissionCheck, type AdmissionOptions } from './admission.ts'
import { routeEntries } from './route-entries.ts'
import { createRouteFinder } from './route-lookup.ts'
import { batchHandler } from './batch/batch.ts'
import { createCrossOrigin, type CrossOrigin } from './cross-origin.ts'
import { protectiveHeaders } from './protective-headers.ts'
import type { OpenapiDocument, ServerState } from './public-route.ts'
import type { ApiContext } from './operation.ts'
import { logServerError, toErrorReply } from './error-reply.ts'
import { serviceRootOf } from './odata/resource-url.ts'
import { createRouteLabels } from './odata/route-label.ts'
import { createProtocol, type HandleRequest, type ODataProtocol } from './odata/protocol.ts'
import type { ODataService } from './odata/service-root.ts'
import { serviceRoots } from './routes.ts'
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

export interface ApiOptions
  extends
    AdmissionOptions,
    Pick<ApiContext, 'clock' | 'runningKeys' | 'largeBodies'>,
    Pick<ServerState, 'authenticator' | 'cryptoContext' | 'version'>,
    Pick<HttpServerOptions, 'monotonicMs'>,
    Partial<Pick<ServerState, 'limits' | 'unavailableFeatures'>>,
    Partial<Pick<HttpServerOptions, 'log' | 'onReply'>> {
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
}

/** The server of the interface and of the extra endpoints. It does not listen yet. */
export function createApi(options: ApiOptions): HttpServer {
  const { limits = usualLimits, extraEndpoints = [] } = options
  const api = { ...options, encryptor: new Encryptor(options.cryptoContext, 'links') }
  const state = createServerState(options, limits, () => server.isStopping())
  const services = [{ schema: serviceSchema, roots: serviceRoots }, ...(options.services ?? [])]
  const roots = services.flatMap((service) => service.roots)
  const interfaceRoots = new Set(['dev', ...roots, 'openapi.json', 'limits'])
  const isInterfacePath = (path: string) => interfaceRoots.has(serviceRootOf(path).toLowerCase())
  const protocol = createProtocol(roots)
  /** Some HTTP clients send `Accept: text/html`, Java's by default: below the API paths they get JSON all the same. */
  const isBrowserPage = ({ method, path }: Request): boolean =>
    (method === 'GET' || method === 'HEAD') && !isInterfacePath(path)
  const toVersionedErrorReply: HttpServerOptions['toErrorReply'] = (error, request) =>
    protocol.withVersionHeaders(request, toErrorReply(error, request, isBrowserPage(request)))
  const crossOrigin = createCrossOrigin(() => options.corsOrigins, isInterfacePath)
  const { wrapFallback, wrapHandler } = createWrappers(options, protocol, crossOrigin)
  const rows = routeEntries({ roots, limits, state, batch: (request, context) => batch(request, context) })
  const setPaths = services.flatMap((service) =>
    service.roots.flatMap((root) => service.schema.resources.map(({ wire }) => `/${root}/${wire}`)),
  )
  const otherEndpoints = extraEndpoints.filter(({ isFallback }) => isFallback !== true)
  const find = createRouteFinder({ rows, services, setPaths, otherEndpoints, limits })
  const batch = batchHandler({
    withProtocol: protocol.withProtocol,
    find,
    toErrorReply: toVersionedErrorReply,
    authenticator: options.authenticator,
    logServerError: (reply, outer) => logServerError(server.log, reply, outer),
    limits,
  })
  const ownEndpoints = rows.map(({ method, path, bodyBytesMax, handle }): Endpoint => ({
    method,
    path,
    bodyBytesMax,
    handle: (request) => handle(request, api),
  }))
  const server = createHttpServer({
    ...serverOptions(options, limits),
    endpoints: [...ownEndpoints, ...extraEndpoints].map((endpoint) => ({
      ...endpoint,
      handle: wrapHandler(endpoint.path, endpoint.handle),
    })),
    // A path without a route: resolved below a service root, or an error.
    fallback: wrapFallback(async (request) => {
      const { handle, bodyBytesMax } = find(request)
      request.bodyBytesMax = bodyBytesMax
      return handle(request, api)
    }),
    // The spelling of the route table is that of `dagsverk routes`.
    fallbackRoute: createRouteLabels([...documentPaths(roots), ...setPaths, ...rows.map(({ path }) => path)]),
    toErrorReply: (error, request) => crossOrigin.withHeaders(request, toVersionedErrorReply(error, request)),
  })
  return server
}

function documentPaths(roots: readonly string[]): string[] {
  return roots.flatMap((root) => ['', '/$metadata', '/$entity', '/$all'].map((name) => `/${root}${name}`))
}

function createServerState(options: ApiOptions, limits: Limits, isStopping: () => boolean): ServerState {
  let document: Promise<OpenapiDocument> | undefined
  return {
    ...options,
    limits,
    unavailableFeatures: options.unavailableFeatures ?? (() => []),
    checkDatabase: databaseCheck(options.store),
    isStopping,
    document: () => {
      // A failed import must not be remembered: an upgrade replaces the files of a running server.
      document ??= describeApi(options).catch((error: unknown) => {
        document = undefined
        throw error
      })
      return document
    },
  }
}

/** What runs around the handlers: CORS, then middleware, then the OData version where the path is that of a service. */
function createWrappers(options: ApiOptions, { isOfService, withProtocol }: ODataProtocol, crossOrigin: CrossOrigin) {
  const { middleware } = options
  const handleCrossOrigin = async (request: Request, handle: HandleRequest) =>
    crossOrigin.withHeaders(request, crossOrigin.preflight(request) ?? (await handle(request)))
  const wrap = (handle: HandleRequest): HandleRequest => {
    const inner: HandleRequest =
      middleware === undefined ? handle : (request) => middleware(request, () => handle(request))
    return (request) => (options.corsOrigins.length === 0 ? inner(request) : handleCrossOrigin(request, inner))
  }
  return {
    wrapHandler: (path: string, handle: HandleRequest) => wrap(isOfService(path) ? withProtocol(handle) : handle),
    wrapFallback: (handle: HandleRequest) => wrap(withProtocol(handle)),
  }
}

/** What does not depend on the routes. `options` are read at each request, because a reload changes them. */
function serverOptions(options: ApiOptions, limits: Limits) {
  const { monotonicMs, onReply } = options
  return {
    admit: createAdmissionCheck(options),
    isOverTls: (request: Request) => {
      // With neither, no proxy needs to be looked up.
      const canBeSecure = request.secure || request.header('x-forwarded-proto') !== undefined
      return canBeSecure && isClientSecure(request, options.trustProxy)
    },
    clientNetwork: (request: Request) => networkOf(getClientConnection(request, options.trustProxy).address),
    isProxy: (address: string) => options.trustProxy.has(address),
    monotonicMs,
    headers: { ...protectiveHeaders, ...options.headers },
    log: options.log ?? false,
    ...(onReply === undefined ? {} : { onReply }),
    limits,
  }
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
