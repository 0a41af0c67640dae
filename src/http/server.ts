// The only file that knows the HTTP framework: endpoints in, bytes out, and our own words for its failures.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Server as SocketServer } from 'node:net'
import fastify, { LogController, type FastifyInstance } from 'fastify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyHttpOptions, InjectOptions, LightMyRequestResponse } from 'fastify'
import { BodyReader, isLeftUnread } from './body.ts'
import { answerBrokenRequest, endIdle, faultOf, refuseTunnel } from './failures.ts'
import { listenOnSocket, type HeldSocket } from './listening-sockets.ts'
import type { Answered, HttpLoad } from './load.ts'
import { limits as usualLimits, type Limits } from './limits.ts'
import { answered, logAnswer, loggerOf, type LogTarget } from './log.ts'
import { writeReply } from './write-reply.ts'
import { checkHeaders, pathAndQuery, requestId } from './request-line.ts'
import type { Endpoint, Known, Reply, Request } from './request.ts'
import { isStopping, stopServer, watchConnections } from './shutdown.ts'
import { turnEnd } from '../lib/yield-to-event-loop.ts'

export interface ServerOptions {
  readonly endpoints: readonly Endpoint[]
  /** Answers what no endpoint is for. */
  readonly fallback: (request: Request) => Promise<Reply>
  readonly refuse: (error: unknown, request: Request) => Reply
  /** Throws for what no endpoint should see: an unknown host, a server that is not set up. */
  readonly admit: (request: Request) => void | Promise<void>
  /** Whether the caller came over TLS, be it that of a proxy. */
  readonly isOverTls: (request: Request) => boolean
  /** Carried by every answer; null stands for what was no request at all. */
  readonly headers: (request: Request | null) => Readonly<Record<string, string>>
  readonly log: LogTarget | false
  /** Told of every answer as it begins. */
  readonly onAnswer?: (answered: Answered) => void
  readonly limits?: Limits
}

export interface HttpServer {
  /** The address it listens on. */
  listen(port: number, host: string): Promise<string>
  /** Listens on sockets that another process has bound; returns the address of the first. */
  listenOn(sockets: readonly HeldSocket[]): Promise<string>
  /** A request without a socket. */
  inject(options: InjectOptions): Promise<LightMyRequestResponse>
  /** Ends when every accepted request is answered, at the latest after `limits.stopTimeoutMs`. */
  stop(): Promise<void>
  /** It takes no new connection, and answers what came over the ones it has. */
  isStopping(): boolean
  load(): HttpLoad
  readonly log: FastifyInstance['log']
}

export function createServer(options: ServerOptions): HttpServer {
  const { limits = usualLimits, refuse, headers, isOverTls, onAnswer } = options
  const bodies = new BodyReader(limits)
  const atEndOfTurn = turnEnd(answersMost)
  const endless = new Set<() => void>()
  const further: SocketServer[] = []
  /** The reply is ours from here: the framework would give it its own headers, and a promise to wait for. */
  const send = (reply: FastifyReply, asked: Asked, answer: Reply) => {
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
      ...headers(asked),
      'X-Request-Id': asked.id,
      // A stopping server sends its caller to another one, on another connection.
      ...(isStopping(reply.server) || isLeftUnread(raw) ? closing : undefined),
    }
    atEndOfTurn(() => {
      try {
        writeReply(reply.raw, answer, common, limits)
      } catch (error) {
        // Nothing is written yet when a header cannot be.
        writeReply(reply.raw, refuse(error, asked), common, limits)
      }
    })
  }
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    handle: (request: Request) => Promise<Reply>,
    bodyBytesMax: number,
  ) => {
    const asked = new Asked(request, reply, isOverTls, () =>
      bodies.read(request.raw, reply.raw, bodyBytesMax),
    )
    try {
      checkHeaders(request.raw, limits)
      const admitted = options.admit(asked)
      if (admitted !== undefined) await admitted
      send(reply, asked, await handle(asked))
    } catch (error) {
      send(reply, asked, refuse(error, asked))
    } finally {
      bodies.release(request.raw)
    }
  }
  const answerFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const asked = new Asked(request, reply, isOverTls, noBody)
    send(reply, asked, refuse(faultOf(error), asked))
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
  // Both are a matter of the request: a body is invited by whoever wants it, any other expectation is refused.
  for (const expecting of ['checkContinue', 'checkExpectation'])
    app.server.on(expecting, (message: IncomingMessage, response: ServerResponse) => {
      app.server.emit('request', message, response)
    })
  app.server.on('connect', refuseTunnel(headers(null)))
  app.server.on('timeout', endIdle)
  // Whoever wants a body reads it, once it is known who sent it: none is the framework's business.
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
    // Requests are logged by us, line by line: the framework would write their addresses.
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    // A stopping server answers what it has accepted.
    return503OnClosing: false,
    forceCloseConnections: false,
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: limits.urlBytesMax,
      // The query is read by the route that knows its options.
      querystringParser: () => ({}),
    },
    http: {
      maxHeaderSize: limits.nodeHeaderBytesMax,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: 1000,
      // A request without one is refused by us, in our words.
      requireHostHeader: false,
    },
    // Bodies have a clock of their own.
    requestTimeout: 0,
    // Until a caller takes more of its answer; between two requests `keepAliveTimeout` counts instead.
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

/** More would make the first of them wait for what the others take to work out. */
const answersMost = 16

const closing = { Connection: 'close' } as const

async function noBody() {
  return Buffer.alloc(0)
}
