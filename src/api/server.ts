// The whole interface as a server: the route table, what is open to all, and what is refused before either.
import { openRoutes } from '#api/open-routes.ts'
import { openapi } from '#api/openapi.ts'
import type { Serving } from '#api/operation.ts'
import { refuse } from '#api/refuse.ts'
import { routes, serviceRoots } from '#api/routes.ts'
import { serviceOf } from '#api/odata-service.ts'
import { Fault } from '#faults.ts'
import { limits } from '#http/limits.ts'
import type { Endpoint, Reply, Request } from '#http/request.ts'
import { createServer, type HttpServer, type ServerOptions } from '#http/server.ts'
import { dagsverk } from '#model/dagsverk.ts'
import { isSetUp } from '#store/accounts.ts'

export interface ApiOptions extends Serving {
  readonly version: string
  /** Without a slash at its end; '' on a server without a public name. */
  readonly publicUrl: string
  /** Host names the server answers to, beside its public one and those of loopback. */
  readonly allowedHosts: readonly string[]
  /** Carried by every answer, like `X-Sandbox`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Stands around the answer to every request. */
  readonly around?: (request: Request, answer: () => Promise<Reply>) => Promise<Reply>
  readonly degraded?: () => readonly string[]
  readonly log?: ServerOptions['log']
}

export const createApi = (options: ApiOptions): HttpServer => {
  const state = {
    ...options,
    degraded: options.degraded ?? (() => []),
    document: openapi(options.version, options.publicUrl),
  }
  const { around } = options
  const within = (handle: Endpoint['handle']): Endpoint['handle'] =>
    around === undefined ? handle : (request) => around(request, () => handle(request))
  const endpoints: Endpoint[] = [
    ...routes.map(({ method, path, operation }): Endpoint => ({
      method,
      path,
      bodyBytesMax:
        operation.body === 'many' || operation.body === 'either'
          ? limits.listBytesMax
          : limits.bodyBytesMax,
      handle: within((request) => operation.handle(request, options)),
    })),
    ...openRoutes.map(({ path, answer }): Endpoint => ({
      method: 'GET',
      path,
      bodyBytesMax: limits.bodyBytesMax,
      handle: within(() => answer(state)),
    })),
  ]
  return createServer({
    endpoints,
    fallback: within(async (request) => answerElsewhere(request, options, endpoints)),
    refuse,
    admit: admission(options),
    headers: { ...protectiveHeaders, ...options.headers },
    log: options.log ?? false,
  })
}

const service = serviceOf(dagsverk, serviceRoots)

/** What has no route of its own: read below a service root, or refused. */
const answerElsewhere = (
  request: Request,
  options: ApiOptions,
  endpoints: readonly Endpoint[],
): Promise<Reply> => {
  const { method, path } = request
  const methods = methodsAt(path, endpoints)
  const handle = methods.length === 0 ? service(path) : null
  if (handle === null) throw refuseAddress(method, methods)
  if (method !== 'GET' && method !== 'HEAD') throw refuseAddress(method, ['GET'])
  return handle(request, options)
}

const methodsAt = (path: string, endpoints: readonly Endpoint[]): readonly string[] => {
  const asked = comparable(path)
  return endpoints.filter((endpoint) => isAddressOf(endpoint, asked)).map((one) => one.method)
}

/** An address that exists for another method says so; every other is unknown. */
const refuseAddress = (method: string, methods: readonly string[]): Fault => {
  if (methods.length === 0) return new Fault('NotFound', { says: { what: 'The address' } })
  const allow = [
    ...new Set(methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]))),
  ].join(', ')
  return new Fault('MethodNotAllowed', { says: { method, allow }, headers: { Allow: allow } })
}

const isAddressOf = ({ path }: Endpoint, asked: string): boolean => {
  const [start = '', end] = comparable(path).split(/:\w+/)
  if (end === undefined) return asked === start
  const hasValue = asked.length > start.length + end.length
  return hasValue && asked.startsWith(start) && asked.endsWith(end)
}

/** As the router compares paths: without letter case, doubled or trailing slashes. */
const comparable = (path: string): string => {
  const plain = path.replace(/\/+/g, '/').replace(/\/$/, '').toLowerCase()
  try {
    return decodeURIComponent(plain)
  } catch {
    throw new Fault('InvalidEncoding')
  }
}

const admission = ({ store, publicUrl, allowedHosts }: ApiOptions): ServerOptions['admit'] => {
  const publicHost = publicUrl === '' ? [] : [new URL(publicUrl).hostname]
  const hosts = new Set(['localhost', '127.0.0.1', '[::1]', ...publicHost, ...allowedHosts])
  const beforeSetUp = new Set(['/livez', '/readyz', '/healthz', '/version', '/setup'])
  let isReady = false
  return async (request) => {
    const host = (request.header('host') ?? '').replace(/:\d+$/, '').toLowerCase()
    if (!hosts.has(host)) throw new Fault('UnknownHost')
    isReady ||= await isSetUp(store)
    if (!isReady && !beforeSetUp.has(comparable(request.path))) throw new Fault('NotInitialised')
  }
}

/** For answers that a browser should never take for a page. */
const protectiveHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
}
