// HTTP server on Fastify; the only file that uses the framework.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Server as SocketServer } from 'node:net'
import fastify, { LogController, type FastifyInstance } from 'fastify'
import type { FastifyHttpOptions, FastifyReply, FastifyRequest } from 'fastify'
import { acceptFirst } from './accept-first.ts'
import { replyToInvalidRequest, destroyIdleSocket, toApiError, rejectConnect } from './failures.ts'
import { listenOnSocket, type ListeningSocket } from './listening-sockets.ts'
import { limits as defaultLimits, type Limits } from './limits.ts'
import { createRequestLog, loggerOptions, type LogTarget } from './log.ts'
import { handleInOrder } from './pipelining.ts'
import { RequestHandler, type MatchedEndpoint, type RequestHandlerOptions } from './request-handler.ts'
import type { Endpoint, Reply, Request } from './request.ts'
import { stopServer, watchConnections } from './shutdown.ts'

export interface HttpServerOptions extends RequestHandlerOptions {
  readonly endpoints: readonly Endpoint[]
  /** Handles requests that match no endpoint. */
  readonly fallback: (request: Request) => Promise<Reply>
  readonly log: LogTarget | false
}

export interface HttpLoad {
  readonly connections: number
  readonly bodyBytesInFlight: number
}

export interface HttpServer {
  /** Resolves to the URL that it listens on. */
  listen(port: number, host: string): Promise<string>
  /** Listens on sockets that another process has bound; resolves to the URL of the first. */
  listenOn(sockets: readonly ListeningSocket[]): Promise<string>
  /** Resolves when it can dispatch; listening waits for it. */
  ready(): Promise<void>
  /** Handles a request, with or without a socket. */
  dispatch(message: IncomingMessage, response: ServerResponse): void
  /** Resolves when every accepted request has its reply, at the latest after `limits.stopTimeoutMs`. */
  stop(): Promise<void>
  /** Whether it accepts no new connections and finishes the open ones. */
  isStopping(): boolean
  load(): HttpLoad
  readonly log: FastifyInstance['log']
}

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { limits = defaultLimits, endpoints, headers, log } = options
  const additionalServers: SocketServer[] = []
  const handleError = (error: unknown, { raw }: FastifyRequest, reply: FastifyReply) => {
    reply.hijack()
    handler.reject(raw, reply.raw, toApiError(error, raw.url ?? '', limits))
  }
  const settings: FastifyHttpOptions<Server> = {
    ...frameworkSettings(limits),
    logger: log && loggerOptions(log),
    clientErrorHandler: replyToInvalidRequest(headers, limits),
    frameworkErrors: handleError,
  }
  const app = fastify(settings)
  const logReply = log === false ? () => undefined : createRequestLog(log, app.log)
  const handler = new RequestHandler(options, app.log, logReply)
  const endpointsByPath = Map.groupBy(
    endpoints.filter(({ path }) => !/[:*]/.test(path)),
    ({ path }) => path,
  )
  /** A path that is spelled as declared needs no router (ADR 0013); every other spelling does, and HEAD. */
  const dispatch = (message: IncomingMessage, response: ServerResponse) => {
    const { method, url = '' } = message
    const question = url.indexOf('?')
    const path = question === -1 ? url : url.slice(0, question)
    const endpoint = endpointsByPath.get(path)?.find((one) => one.method === method)
    if (endpoint === undefined) app.routing(message, response)
    else void handler.handle(message, response, endpoint)
  }
  const routeTo = (endpoint: MatchedEndpoint) => (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack()
    void handler.handle(request.raw, reply.raw, endpoint)
  }
  const runAccepted = acceptFirst(app.server, options)
  const accept = (message: IncomingMessage, response: ServerResponse) => runAccepted(() => dispatch(message, response))
  const receive = (message: IncomingMessage, response: ServerResponse) => handleInOrder(message, response, accept)
  app.server.removeAllListeners('request').on('request', receive)
  const connections = watchConnections(app.server)
  handler.unauthenticatedConnections.watch(app.server)
  app.server.maxHeadersCount = limits.headersMax
  // `BodyReader` sends `100 Continue`, and `checkHeaders` rejects any other expectation.
  for (const expecting of ['checkContinue', 'checkExpectation']) app.server.on(expecting, receive)
  app.server.on('connect', rejectConnect(headers))
  app.server.on('timeout', destroyIdleSocket)
  // Handlers read bodies after authentication; the framework must not.
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'])
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  app.setErrorHandler(handleError)
  app.setNotFoundHandler(routeTo({ path: '-', bodyBytesMax: limits.listBytesMax, handle: options.fallback }))
  for (const endpoint of endpoints)
    app.route({ method: endpoint.method, url: endpoint.path, handler: routeTo(endpoint) })
  return {
    listen: (port, host) => app.listen({ port, host }),
    listenOn: async ([first, ...more]) => {
      // Fastify passes `handle` on to Node. Without `host` it would resolve `localhost`.
      const options = { handle: first, host: '' }
      const address = await app.listen(options)
      for (const socket of more) additionalServers.push(await listenOnSocket(app.server, socket))
      return address
    },
    ready: async () => {
      await app.ready()
    },
    dispatch,
    stop: () => {
      handler.stop()
      return stopServer(app, additionalServers, connections, limits.stopTimeoutMs)
    },
    isStopping: () => handler.isStopping,
    load: () => ({ connections: connections.size, bodyBytesInFlight: handler.bodyBytesInFlight }),
    log: app.log,
  }
}

function frameworkSettings(limits: Limits): FastifyHttpOptions<Server> {
  return {
    // The framework's request log would contain URLs; see log.ts.
    logController: new LogController({ disableRequestLogging: true }),
    // Routes have no schemas, and these compilers take a while to load.
    schemaController: { compilersFactory: { buildValidator: rejectSchema, buildSerializer: rejectSchema } },
    // Requests need no logger of their own.
    childLoggerFactory: (logger) => logger,
    // A stopping server replies to what it has accepted.
    return503OnClosing: false,
    forceCloseConnections: false,
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: limits.urlBytesMax,
      // Each route parses its own query options.
      querystringParser: () => ({}),
    },
    http: {
      maxHeaderSize: limits.nodeHeaderBytesMax,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: 1000,
      // `checkHeaders` rejects requests without a Host header.
      requireHostHeader: false,
    },
    // Bodies have their own time limit.
    requestTimeout: 0,
    // While a client reads nothing of its reply; between requests `keepAliveTimeout` applies instead.
    connectionTimeout: limits.stalledReaderTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
  }
}

function rejectSchema(): never {
  throw new Error('routes have no schemas')
}
