// HTTP server on Fastify; the only file that uses the framework.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Server as SocketServer } from 'node:net'
import fastify, { LogController, type FastifyInstance } from 'fastify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyHttpOptions, InjectOptions, LightMyRequestResponse } from 'fastify'
import { BodyReader, hasUnreadBody } from './body.ts'
import { replyToInvalidRequest, destroyIdleSocket, toApiError, rejectConnect } from './failures.ts'
import { listenOnSocket, type ListeningSocket } from './listening-sockets.ts'
import type { SentReply, HttpLoad } from './load.ts'
import { limits as defaultLimits, type Limits } from './limits.ts'
import { toSentReply, logReply, loggerOptions, type LogTarget } from './log.ts'
import { writeReply } from './write-reply.ts'
import { checkHeaders, pathAndQuery, requestId } from './request-line.ts'
import type { Endpoint, KnownCaller, Reply, Request } from './request.ts'
import { isStopping, stopServer, watchConnections } from './shutdown.ts'
import { batchPerTurn } from '../lib/yield-to-event-loop.ts'

export interface HttpServerOptions {
  readonly endpoints: readonly Endpoint[]
  /** Handles requests that match no endpoint. */
  readonly fallback: (request: Request) => Promise<Reply>
  readonly toErrorReply: (error: unknown, request: Request) => Reply
  /** Throws for requests that no endpoint should get: unknown host, server not set up. */
  readonly admit: (request: Request) => void | Promise<void>
  /** Whether the client used TLS, possibly that of a proxy. */
  readonly isOverTls: (request: Request) => boolean
  /** Headers of every reply; null for replies to invalid HTTP. */
  readonly headers: (request: Request | null) => Readonly<Record<string, string>>
  readonly log: LogTarget | false
  /** Called for every reply when its headers are sent. */
  readonly onReply?: (answered: SentReply) => void
  readonly limits?: Limits
}

export interface HttpServer {
  /** Resolves to the URL that it listens on. */
  listen(port: number, host: string): Promise<string>
  /** Listens on sockets that another process has bound; resolves to the URL of the first. */
  listenOn(sockets: readonly ListeningSocket[]): Promise<string>
  /** Handles a request without a socket. */
  inject(options: InjectOptions): Promise<LightMyRequestResponse>
  /** Resolves when every accepted request has its reply, at the latest after `limits.stopTimeoutMs`. */
  stop(): Promise<void>
  /** Whether it accepts no new connections and finishes the open ones. */
  isStopping(): boolean
  load(): HttpLoad
  readonly log: FastifyInstance['log']
}

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { limits = defaultLimits, toErrorReply, headers, isOverTls, onReply } = options
  const bodies = new BodyReader(limits)
  const afterTurn = batchPerTurn(repliesPerTurnMax)
  const openEndedReplies = new Set<() => void>()
  const additionalServers: SocketServer[] = []
  /** Writes the reply without the framework, which would add headers and a promise. */
  const sendReply = (reply: FastifyReply, request: FastifyRequestAdapter, handleRequest: Reply) => {
    const { raw } = reply.request
    const { onStop } = handleRequest
    if (onStop !== undefined) {
      openEndedReplies.add(onStop)
      reply.raw.once('close', () => openEndedReplies.delete(onStop))
      if (isStopping(reply.server)) onStop()
    }
    onReply?.(toSentReply(reply, handleRequest))
    logReply(reply, handleRequest)
    reply.hijack()
    const common = {
      ...headers(request),
      'X-Request-Id': request.id,
      // The client must open a new connection, to another server.
      ...(isStopping(reply.server) || hasUnreadBody(raw) ? closeConnection : undefined),
    }
    afterTurn(() => {
      try {
        writeReply(reply.raw, handleRequest, common, limits)
      } catch (error) {
        // A header was invalid, and nothing is written yet.
        writeReply(reply.raw, toErrorReply(error, request), common, limits)
      }
    })
  }
  const handleRequest = async (
    original: FastifyRequest,
    reply: FastifyReply,
    handle: (request: Request) => Promise<Reply>,
    bodyBytesMax: number,
  ) => {
    const request = new FastifyRequestAdapter(original, reply, isOverTls, () =>
      bodies.read(original.raw, reply.raw, bodyBytesMax),
    )
    try {
      checkHeaders(original.raw, limits)
      const admitted = options.admit(request)
      if (admitted !== undefined) await admitted
      sendReply(reply, request, await handle(request))
    } catch (error) {
      sendReply(reply, request, toErrorReply(error, request))
    } finally {
      bodies.release(original.raw)
    }
  }
  const handleError = (error: unknown, original: FastifyRequest, reply: FastifyReply) => {
    const request = new FastifyRequestAdapter(original, reply, isOverTls, noBody)
    sendReply(reply, request, toErrorReply(toApiError(error), request))
  }

  const settings: FastifyHttpOptions<Server> = {
    ...frameworkSettings(limits),
    logger: options.log && loggerOptions(options.log),
    clientErrorHandler: replyToInvalidRequest(headers(null)),
    frameworkErrors: handleError,
  }
  const app = fastify(settings)
  const connections = watchConnections(app.server)
  app.server.maxHeadersCount = limits.headersMax
  // `BodyReader` sends `100 Continue`, and `checkHeaders` rejects any other expectation.
  for (const expecting of ['checkContinue', 'checkExpectation'])
    app.server.on(expecting, (message: IncomingMessage, response: ServerResponse) => {
      app.server.emit('request', message, response)
    })
  app.server.on('connect', rejectConnect(headers(null)))
  app.server.on('timeout', destroyIdleSocket)
  // Handlers read bodies after authentication; the framework must not.
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'])
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  app.setErrorHandler(handleError)
  app.setNotFoundHandler((request, reply) =>
    handleRequest(request, reply, options.fallback, limits.listBytesMax),
  )
  for (const { method, path, bodyBytesMax, handle } of options.endpoints)
    app.route({
      method,
      url: path,
      handler: (request, reply) => handleRequest(request, reply, handle, bodyBytesMax),
    })
  return {
    listen: (port, host) => app.listen({ port, host }),
    listenOn: async ([first, ...more]) => {
      // Fastify passes `handle` on to Node. Without `host` it would resolve `localhost`.
      const options = { handle: first, host: '' }
      const address = await app.listen(options)
      for (const socket of more) additionalServers.push(await listenOnSocket(app.server, socket))
      return address
    },
    inject: (inject) => app.inject(inject),
    stop: () => {
      const stopped = stopServer(app, additionalServers, connections, limits.stopTimeoutMs)
      for (const end of openEndedReplies) end()
      return stopped
    },
    isStopping: () => isStopping(app),
    load: () => ({ connections: connections.size, bodyBytesInFlight: bodies.bytesInFlight }),
    log: app.log,
  }
}

function frameworkSettings(limits: Limits): FastifyHttpOptions<Server> {
  return {
    // The framework's request log would contain URLs; see log.ts.
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
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

class FastifyRequestAdapter implements Request {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly id: string
  readonly body: () => Promise<Buffer>
  caller?: KnownCaller
  readonly #message: IncomingMessage
  readonly #response: ServerResponse
  readonly #isOverTls: HttpServerOptions['isOverTls']
  #onClose: Set<() => void> | null = null

  constructor(
    { raw, id }: FastifyRequest,
    reply: FastifyReply,
    isOverTls: HttpServerOptions['isOverTls'],
    body: () => Promise<Buffer>,
  ) {
    const url = pathAndQuery(raw.url ?? '/')
    const question = url.indexOf('?')
    this.method = raw.method ?? ''
    this.path = question === -1 ? url : url.slice(0, question)
    this.search = question === -1 ? '' : url.slice(question + 1)
    this.id = id
    this.body = body
    this.#message = raw
    this.#response = reply.raw
    this.#isOverTls = isOverTls
  }

  header(name: string): string | undefined {
    const value = this.#message.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  /** One listener for all callbacks: every read of a batch may add one. */
  onDisconnect(callback: () => void): () => void {
    if (this.#response.destroyed) {
      callback()
      return () => undefined
    }
    if (this.#onClose === null) {
      const callbacks = new Set<() => void>()
      this.#onClose = callbacks
      this.#response.once('close', () => callbacks.forEach((one) => one()))
    }
    const callbacks = this.#onClose
    callbacks.add(callback)
    return () => callbacks.delete(callback)
  }

  get address(): string {
    return this.#message.socket.remoteAddress ?? ''
  }

  get secure(): boolean {
    const { socket } = this.#message
    return 'encrypted' in socket && socket.encrypted === true
  }

  get origin(): string {
    return `${this.#isOverTls(this) ? 'https' : 'http'}://${this.header('host') ?? ''}`
  }
}

/** With more, the first reply would wait until the others are computed. */
const repliesPerTurnMax = 16

const closeConnection = { Connection: 'close' } as const

async function noBody() {
  return Buffer.alloc(0)
}
