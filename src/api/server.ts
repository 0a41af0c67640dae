// The whole interface as a server: the route table, what is open to all, and what is refused before either.
import { openRoutes } from '#api/open-routes.ts'
import { openapi } from '#api/openapi.ts'
import type { Serving } from '#api/operation.ts'
import { refuse } from '#api/refuse.ts'
import { serviceOf } from '#api/odata-service.ts'
import { routes, serviceRoots } from '#api/routes.ts'
import type { Minting } from '#auth/new-credential.ts'
import { originOf } from '#auth/origin.ts'
import { Fault } from '#faults.ts'
import { limits as usualLimits, type Limits } from '#http/limits.ts'
import type { Endpoint, Reply, Request } from '#http/request.ts'
import { createServer, type HttpServer, type ServerOptions } from '#http/server.ts'
import type { Networks } from '#lib/network.ts'
import { dagsverk } from '#model/dagsverk.ts'
import { phrase } from '#phrases.ts'
import { isSetUp } from '#store/settings.ts'

export interface ApiOptions extends Serving {
  readonly minting: Minting
  readonly version: string
  /** Without a slash at its end; '' on a server without a public name. */
  readonly publicUrl: string
  /** Host names the server answers to, beside its public one and those of loopback. */
  readonly allowedHosts: readonly string[]
  /** Carried by every answer, like `X-Sandbox`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Stands around the answer to every request. */
  readonly around?: (request: Request, answer: () => Promise<Reply>) => Promise<Reply>
  /** Whose word is taken for how the caller came. */
  readonly trustProxy?: Networks
  readonly degraded?: () => readonly string[]
  /** Told as soon as the server is found to belong to somebody. */
  readonly onOwned?: () => void
  readonly log?: ServerOptions['log']
  readonly onAnswer?: ServerOptions['onAnswer']
  readonly limits?: Limits
}

export const createApi = (options: ApiOptions): HttpServer => {
  const { around, limits = usualLimits } = options
  const isOverTls = (request: Request) =>
    options.trustProxy === undefined
      ? request.secure
      : originOf(request, options.trustProxy).isSecure
  const state = {
    ...options,
    limits,
    degraded: options.degraded ?? (() => []),
    isStopping: () => server.isStopping(),
    document: openapi(options.version, options.publicUrl),
  }
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
    ...openRoutes.map(({ method, path, answer }): Endpoint => ({
      method,
      path,
      bodyBytesMax: limits.bodyBytesMax,
      handle: within((request) => answer(request, state)),
    })),
  ]
  const server = createServer({
    endpoints,
    fallback: within(async (request) => answerElsewhere(request, options, endpoints)),
    refuse,
    admit: admission(options),
    isOverTls,
    headers: commonHeaders(options, isOverTls),
    log: options.log ?? false,
    ...(options.onAnswer === undefined ? {} : { onAnswer: options.onAnswer }),
    limits,
  })
  return server
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
  if (methods.length === 0) return new Fault('NotFound', { says: { what: phrase('theAddress') } })
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

/** As the router compares paths: without letter case, doubled or trailing slashes; `%2f` is no slash. */
const comparable = (path: string): string => {
  const plain = path.replace(/\/+/g, '/').replace(/\/$/, '').toLowerCase()
  try {
    return decodeURI(plain)
  } catch {
    throw new Fault('InvalidEncoding')
  }
}

const admission = (options: ApiOptions): ServerOptions['admit'] => {
  const { store, publicUrl, onOwned } = options
  const publicHost = publicUrl === '' ? [] : [new URL(publicUrl).hostname]
  const hosts = new Set(['localhost', '127.0.0.1', '[::1]', ...publicHost])
  const beforeSetUp = new Set(openRoutes.filter(({ isEarly }) => isEarly).map(({ path }) => path))
  let isReady = false
  const requireSetUp = async (path: string) => {
    isReady = await isSetUp(store)
    if (isReady) onOwned?.()
    else if (!beforeSetUp.has(comparable(path))) throw new Fault('NotInitialised')
  }
  return (request) => {
    const host = (request.header('host') ?? '').replace(/:\d+$/, '').toLowerCase()
    // The allowed ones are asked for each time: an operator may change them.
    if (!hosts.has(host) && !options.allowedHosts.includes(host)) throw new Fault('UnknownHost')
    return isReady ? undefined : requireSetUp(request.path)
  }
}

/** Whoever came over TLS shall always come over TLS. */
const commonHeaders = (
  { headers }: ApiOptions,
  isOverTls: ServerOptions['isOverTls'],
): ServerOptions['headers'] => {
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
