// HTTP server on Fastify; the only file that uses the framework.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Server as SocketServer } from 'node:net'
import fastify, { LogController, type FastifyInstance } from 'fastify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyHttpOptions, InjectOptions, LightMyRequestResponse } from 'fastify'
import { BodyReader, isLeftUnread } from './body.ts'
import { answerBrokenRequest, endIdle, faultOf, refuseTunnel } from './failures.ts'
import { listenOnSocket, type HeldSocket } from './listening-sockets.ts'
import type { Answered, HttpLoad } from './load.ts'
import { limits as defaultLimits, type Limits } from './limits.ts'
import { answered, logAnswer, loggerOf, type LogTarget } from './log.ts'
import { writeReply } from './write-reply.ts'
import { checkHeaders, pathAndQuery, requestId } from './request-line.ts'
import type { Endpoint, Known, Reply, Request } from './request.ts'
import { isStopping, stopServer, watchConnections } from './shutdown.ts'
import { turnEnd } from '../lib/yield-to-event-loop.ts'

export interface ServerOptions {
  readonly endpoints: readonly Endpoint[]
  /** Handles requests that match no endpoint. */
  readonly fallback: (request: Request) => Promise<Reply>
  readonly refuse: (error: unknown, request: Request) => Reply
  /** Throws for requests that no endpoint should get: unknown host, server not set up. */
  readonly admit: (request: Request) => void | Promise<void>
  /** Whether the client used TLS, possibly that of a proxy. */
  readonly isOverTls: (request: Request) => boolean
  /** Headers of every reply; null for replies to invalid HTTP. */
  readonly headers: (request: Request | null) => Readonly<Record<string, string>>
  readonly log: LogTarget | false
  /** Called for every reply when its headers are sent. */
  readonly onAnswer?: (answered: Answered) => void
  readonly limits?: Limits
}

export interface HttpServer {
  /** Resolves to the URL that it listens on. */
  listen(port: number, host: string): Promise<string>
  /** Listens on sockets that another process has bound; resolves to the URL of the first. */
  listenOn(sockets: readonly HeldSocket[]): Promise<string>
  /** Handles a request without a socket. */
  inject(options: InjectOptions): Promise<LightMyRequestResponse>
  /** Resolves when every accepted request has its reply, at the latest after `limits.stopTimeoutMs`. */
  stop(): Promise<void>
  /** Whether it accepts no new connections and finishes the open ones. */
  isStopping(): boolean
  load(): HttpLoad
  readonly log: FastifyInstance['log']
}

export function createServer(options: ServerOptions): HttpServer {
  const { limits = defaultLimits, refuse, headers, isOverTls, onAnswer } = options
  const bodies = new BodyReader(limits)
  const atEndOfTurn = turnEnd(answersMost)
  const endless = new Set<() => void>()
  const further: SocketServer[] = []
  /** Writes the reply without the framework, which would add headers and a promise. */
  const sendReply = (reply: FastifyReply, request: Asked, answer: Reply) => {
    const { raw } = reply.request
    const { onStop } = answer
    if (onStop !== undefined) {
      endless.add(onStop)
      reply.raw.once('close', () => endless.delete(onStop))
      if (isStopping(reply.server)) onStop()
    }
    onAnswer?.(answered(reply, answer))
    logAnswer(reply, answer)
    reply.hijack()
    const common = {
      ...headers(request),
      'X-Request-Id': request.id,
      // The client must open a new connection, to another server.
      ...(isStopping(reply.server) || isLeftUnread(raw) ? closing : undefined),
    }
    atEndOfTurn(() => {
      try {
        writeReply(reply.raw, answer, common, limits)
      } catch (error) {
        // A header was invalid, and nothing is written yet.
        writeReply(reply.raw, refuse(error, request), common, limits)
      }
    })
  }
  const answer = async (
    original: FastifyRequest,
    reply: FastifyReply,
    handle: (request: Request) => Promise<Reply>,
    bodyBytesMax: number,
  ) => {
    const request = new Asked(original, reply, isOverTls, () =>
      bodies.read(original.raw, reply.raw, bodyBytesMax),
    )
    try {
      checkHeaders(original.raw, limits)
      const admitted = options.admit(request)
      if (admitted !== undefined) await admitted
      sendReply(reply, request, await handle(request))
    } catch (error) {
      sendReply(reply, request, refuse(error, request))
    } finally {
      bodies.release(original.raw)
    }
  }
  const answerFailure = (error: unknown, original: FastifyRequest, reply: FastifyReply) => {
    const request = new Asked(original, reply, isOverTls, noBody)
    sendReply(reply, request, refuse(faultOf(error), request))
  }

  const settings: FastifyHttpOptions<Server> = {
    ...frameworkSettings(limits),
    logger: options.log && loggerOf(options.log),
    clientErrorHandler: answerBrokenRequest(headers(null)),
    frameworkErrors: answerFailure,
  }
  const app = fastify(settings)
  const connections = watchConnections(app.server)
  app.server.maxHeadersCount = limits.headersMax
  // `BodyReader` sends `100 Continue`, and `checkHeaders` rejects any other expectation.
  for (const expecting of ['checkContinue', 'checkExpectation'])
    app.server.on(expecting, (message: IncomingMessage, response: ServerResponse) => {
      app.server.emit('request', message, response)
    })
  app.server.on('connect', refuseTunnel(headers(null)))
  app.server.on('timeout', endIdle)
  // Handlers read bodies after authentication; the framework must not.
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'])
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  app.setErrorHandler(answerFailure)
  app.setNotFoundHandler((request, reply) =>
    answer(request, reply, options.fallback, limits.listBytesMax),
  )
  for (const { method, path, bodyBytesMax, handle } of options.endpoints)
    app.route({
      method,
      url: path,
      handler: (request, reply) => answer(request, reply, handle, bodyBytesMax),
    })
  return {
    listen: (port, host) => app.listen({ port, host }),
    listenOn: async ([first, ...more]) => {
      // Fastify passes `handle` on to Node. Without `host` it would resolve `localhost`.
      const options = { handle: first, host: '' }
      const address = await app.listen(options)
      for (const socket of more) further.push(await listenOnSocket(app.server, socket))
      return address
    },
    inject: (inject) => app.inject(inject),
    stop: () => {
      const stopped = stopServer(app, further, connections, limits.stopTimeoutMs)
      for (const end of endless) end()
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

class Asked implements Request {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly id: string
  readonly body: () => Promise<Buffer>
  caller?: Known
  readonly #message: IncomingMessage
  readonly #response: ServerResponse
  readonly #isOverTls: ServerOptions['isOverTls']
  #onClose: Set<() => void> | null = null

  constructor(
    { raw, id }: FastifyRequest,
    reply: FastifyReply,
    isOverTls: ServerOptions['isOverTls'],
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
const answersMost = 16

const closing = { Connection: 'close' } as const

async function noBody() {
  return Buffer.alloc(0)
}
