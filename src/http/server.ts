// The only file that knows the HTTP framework: endpoints in, bytes out, and our own words for its failures.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import fastify, { LogController, type FastifyInstance } from 'fastify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyHttpOptions, InjectOptions, LightMyRequestResponse } from 'fastify'
import { BodyReader } from '#http/body.ts'
import { answerBrokenRequest, faultOf } from '#http/failures.ts'
import { limits } from '#http/limits.ts'
import { checkHeaders, requestId } from '#http/request-line.ts'
import type { Endpoint, Reply, Request } from '#http/request.ts'
import { isStopping, stopServer } from '#http/shutdown.ts'

export interface ServerOptions {
  readonly endpoints: readonly Endpoint[]
  /** Answers what no endpoint is for. */
  readonly fallback: (request: Request) => Promise<Reply>
  readonly refuse: (error: unknown, request: Request) => Reply
  /** Throws for what no endpoint should see: an unknown host, a server that is not set up. */
  readonly admit: (request: Request) => void | Promise<void>
  /** Carried by every answer. */
  readonly headers: Readonly<Record<string, string>>
  readonly log: FastifyHttpOptions<Server>['logger']
}

export interface HttpServer {
  /** The address it listens on. */
  listen(port: number, host: string): Promise<string>
  /** A request without a socket. */
  inject(options: InjectOptions): Promise<LightMyRequestResponse>
  /** Ends when every accepted request is answered, at the latest after `limits.stopTimeoutMs`. */
  stop(): Promise<void>
  readonly log: FastifyInstance['log']
}

export const createServer = (options: ServerOptions): HttpServer => {
  const app = fastify(frameworkOptions(options))
  app.server.maxHeadersCount = limits.headersMax
  app.server.on('checkExpectation', (message: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', message, response)
  })

  const bodies = new BodyReader()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    bodies.read(payload, request.routeOptions.bodyLimit ?? limits.bodyBytesMax),
  )
  app.addHook('onRequest', async (request) => {
    checkHeaders(request.raw)
    await options.admit(toRequest(request))
  })
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    handle: (request: Request) => Promise<Reply>,
  ) => {
    const asked = toRequest(request)
    try {
      return send(reply, await handle(asked), request, options)
    } catch (error) {
      return send(reply, options.refuse(error, asked), request, options)
    }
  }
  app.setErrorHandler((error, request, reply) =>
    send(reply, options.refuse(faultOf(error), toRequest(request)), request, options),
  )
  app.setNotFoundHandler((request, reply) => answer(request, reply, options.fallback))
  for (const { method, path, bodyBytesMax, handle } of options.endpoints)
    app.route({
      method,
      url: path,
      bodyLimit: bodyBytesMax,
      handler: (request, reply) => answer(request, reply, handle),
    })
  return {
    listen: (port, host) => app.listen({ port, host }),
    inject: (inject) => app.inject(inject),
    stop: () => stopServer(app),
    log: app.log,
  }
}

const frameworkOptions = (options: ServerOptions): FastifyHttpOptions<Server> => ({
  logger: options.log ?? false,
  // Requests are logged by us, line by line: the framework would write their addresses.
  logController: new LogController({ disableRequestLogging: true }),
  requestIdHeader: false,
  genReqId: ({ headers }) => requestId(headers['x-request-id']),
  // A stopping server answers what it has accepted.
  return503OnClosing: false,
  forceCloseConnections: false,
  bodyLimit: limits.listBytesMax,
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
  },
  // Bodies have a clock of their own.
  requestTimeout: 0,
  keepAliveTimeout: limits.keepAliveTimeoutMs,
  clientErrorHandler: answerBrokenRequest(options.headers),
  frameworkErrors: (error, request, reply) => {
    const refused = options.refuse(faultOf(error), toRequest(request))
    void send(reply, refused, request, options)
  },
})

const toRequest = (request: FastifyRequest): Request => {
  const url = request.raw.url ?? '/'
  const question = url.indexOf('?')
  const { headers, socket } = request.raw
  return {
    method: request.method,
    path: question === -1 ? url : url.slice(0, question),
    search: question === -1 ? '' : url.slice(question + 1),
    header: (name) => {
      const value = headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
    body: Buffer.isBuffer(request.body) ? request.body : nothing,
    address: socket.remoteAddress ?? '',
    secure: 'encrypted' in socket && socket.encrypted === true,
    origin: `${request.protocol}://${headers.host ?? ''}`,
    id: request.id,
  }
}

const nothing = Buffer.alloc(0)

const send = (
  reply: FastifyReply,
  { status, headers, body, about, isDropped }: Reply,
  request: FastifyRequest,
  options: ServerOptions,
) => {
  const { error, ...noted } = about ?? {}
  const line = {
    id: request.id,
    method: request.method,
    // The template, never the address: that may hold a password.
    route: request.routeOptions.url ?? '-',
    status,
    ms: Math.round(reply.elapsedTime),
    ...noted,
    ...(error === undefined ? {} : { err: error }),
  }
  if (status >= 500) reply.server.log.error(line)
  else reply.server.log.info(line)
  if (isDropped) {
    request.raw.socket.destroy()
    return reply.hijack()
  }
  reply.code(status).headers(options.headers).header('X-Request-Id', request.id).headers(headers)
  // The caller is to come back on another connection, to another server.
  if (isStopping(reply.server)) reply.header('Connection', 'close')
  // Text goes out as it is: the framework would write JSON's media types anew, quotes and charset added.
  reply.serializer(String)
  if (body === null || typeof body === 'string' || Buffer.isBuffer(body))
    return reply.send(body ?? undefined)
  // A reader that takes nothing holds a snapshot of the database.
  reply.raw.setTimeout(limits.stalledReaderTimeoutMs, () => reply.raw.destroy())
  return reply.send(Readable.from(body, { objectMode: false }))
}
