// Request handling: admission, the endpoint and its reply, however the request was routed.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { BodyReader } from './body.ts'
import { IncomingRequest, type RequestContext } from './incoming-request.ts'
import { limits as defaultLimits, type Limits } from './limits.ts'
import type { SentReply } from './log.ts'
import { checkHeaders } from './request-line.ts'
import type { Endpoint, LogContext, Reply, Request } from './request.ts'
import { UnauthenticatedConnections } from './unauthenticated-connections.ts'
import { UnreadReplies } from './unread-replies.ts'
import { CommonHeaders, bytesOfLongReply, writeReply } from './write-reply.ts'
import { batchPerTurn } from '../lib/yield-to-event-loop.ts'

export interface RequestHandlerOptions extends Omit<
  RequestContext,
  'bodies' | 'unreadReplies' | 'unauthenticatedConnections'
> {
  readonly toErrorReply: (error: unknown, request: Request) => Reply
  /** Throws for requests that no endpoint should get: unknown host, server not set up. */
  readonly admit: (request: Request) => void | Promise<void>
  /** Headers of every reply, besides HSTS over TLS. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether the address is a proxy that forwards the requests of others. */
  readonly isProxy: (address: string) => boolean
  /** The route of a request without an endpoint, for log and metrics, from its path: one of few values, `-` for none. */
  readonly fallbackRoute?: (path: string) => string
  /** Called for every reply when its headers are sent. */
  readonly onReply?: (answered: SentReply) => void
  readonly limits?: Limits
}

/** The endpoint that a request was routed to, or the fallback, whose path is `-`. */
export type MatchedEndpoint = Pick<Endpoint, 'path' | 'bodyBytesMax' | 'handle'>

export class RequestHandler {
  readonly unauthenticatedConnections: UnauthenticatedConnections
  readonly #options: RequestHandlerOptions
  readonly #limits: Limits
  readonly #context: RequestContext
  readonly #log: FastifyBaseLogger
  readonly #logReply: (sent: SentReply) => void
  readonly #headers: CommonHeaders
  readonly #tlsHeaders: CommonHeaders
  readonly #afterTurn = batchPerTurn(repliesPerTurnMax)
  readonly #openEndedReplies = new Set<() => void>()
  #isStopping = false

  constructor(options: RequestHandlerOptions, log: FastifyBaseLogger, logReply: (sent: SentReply) => void) {
    const { limits = defaultLimits, headers, isOverTls, clientNetwork, monotonicMs } = options
    this.#options = options
    this.#limits = limits
    this.unauthenticatedConnections = new UnauthenticatedConnections({
      max: limits.unauthenticatedConnectionsMax,
      isProxy: options.isProxy,
    })
    this.#context = {
      bodies: new BodyReader(limits),
      unreadReplies: new UnreadReplies(limits),
      unauthenticatedConnections: this.unauthenticatedConnections,
      isOverTls,
      clientNetwork,
      monotonicMs,
    }
    this.#log = log
    this.#logReply = logReply
    this.#headers = new CommonHeaders(headers)
    this.#tlsHeaders = new CommonHeaders({ ...headers, 'Strict-Transport-Security': strictTransportSecurity })
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  get bodyBytesInFlight(): number {
    return this.#context.bodies.bytesInFlight
  }

  /** Never rejects: an error is a reply. */
  async handle(message: IncomingMessage, response: ServerResponse, endpoint: MatchedEndpoint): Promise<void> {
    const request = this.#receive(message, response, endpoint)
    try {
      checkHeaders(message, this.#limits)
      const admitted = this.#options.admit(request)
      if (admitted !== undefined) await admitted
      const reply = await endpoint.handle(request)
      this.#countUnread(request, reply)
      this.#send(request, reply)
    } catch (error) {
      this.#sendError(request, error)
    } finally {
      if (request.bodyInFlight !== null) this.#context.bodies.release(request.bodyInFlight)
    }
  }

  /** Replies to a request that could not be routed. */
  reject(message: IncomingMessage, response: ServerResponse, error: unknown): void {
    this.#sendError(this.#receive(message, response, noEndpoint), error)
  }

  /** From now on connections are closed after their replies, and endless replies end. */
  stop(): void {
    this.#isStopping = true
    for (const end of this.#openEndedReplies) end()
  }

  #receive(
    message: IncomingMessage,
    response: ServerResponse,
    endpoint: Omit<MatchedEndpoint, 'handle'>,
  ): IncomingRequest {
    // An error event without a listener would end the process.
    response.on('error', ignoreError)
    return new IncomingRequest(message, response, endpoint, this.#context)
  }

  /** The reply of a change is never replaced, because it says what was stored. */
  #countUnread({ caller, method, response }: IncomingRequest, { body, heldBytes }: Reply): void {
    const bytes = heldBytes ?? bytesOfLongReply(body)
    if (caller === undefined || bytes === 0) return
    if (method === 'GET') this.#context.unreadReplies.requireCapacity(caller)
    this.#context.unreadReplies.add(caller, bytes, response)
  }

  #sendError(request: IncomingRequest, error: unknown): void {
    try {
      this.#send(request, this.#options.toErrorReply(error, request))
    } catch (cause) {
      // A bug, in the error reply itself or in `onReply`.
      this.#log.error({ id: request.id, err: cause }, 'a request got no reply')
      request.response.destroy()
    }
  }

  /** Writes the reply without the framework, which would add headers and a promise. */
  #send(request: IncomingRequest, reply: Reply): void {
    const { response } = request
    const { onReply, toErrorReply } = this.#options
    request.removeConnectionLimit()
    if (reply.onStop !== undefined) this.#endOnStop(response, reply.onStop)
    const sent = this.#toSentReply(request, reply)
    onReply?.(sent)
    this.#logReply(sent)
    const fields = this.#fieldsOf(request, reply)
    // Its own line is written already.
    const onStreamError = (error: Error) => this.#logReply(this.#toSentReply(request, toErrorReply(error, request)))
    const options = { limits: this.#limits, onStreamError }
    this.#afterTurn(() => {
      try {
        writeReply(response, reply, fields, options)
      } catch (error) {
        // A header was invalid, unless the head is written: then nothing else can be sent.
        if (response.headersSent) response.destroy()
        else {
          const errorReply = toErrorReply(error, request)
          writeReply(response, errorReply, this.#fieldsOf(request, errorReply), options)
        }
      }
    })
  }

  #toSentReply(
    { id, method, path, endpoint, elapsedMs }: IncomingRequest,
    { status, logContext = noContext }: Reply,
  ): SentReply {
    const route = endpoint.path === '-' ? (this.#options.fallbackRoute?.(path) ?? '-') : endpoint.path
    return { id, method, route, status, ms: elapsedMs, logContext }
  }

  #endOnStop(response: ServerResponse, end: () => void): void {
    this.#openEndedReplies.add(end)
    response.once('close', () => this.#openEndedReplies.delete(end))
    if (this.#isStopping) end()
  }

  /** A request that is rejected while it is being received is the last of its connection. */
  #fieldsOf(request: IncomingRequest, { headers }: Reply): string[] {
    const common = this.#options.isOverTls(request) ? this.#tlsHeaders : this.#headers
    const fields = common.with(headers)
    fields.push('X-Request-Id', request.id)
    // The client must open a new connection, to another server.
    const { message, bodyInFlight } = request
    if (this.#isStopping || this.#context.bodies.hasUnreadBody(message, bodyInFlight))
      fields.push('Connection', 'close')
    return fields
  }
}

const noContext: LogContext = {}

const noEndpoint = { path: '-', bodyBytesMax: 0 }

/** With more, the first reply would wait until the others are computed. */
const repliesPerTurnMax = 16

/** Two years. */
const strictTransportSecurity = 'max-age=63072000; includeSubDomains'

function ignoreError(): void {}
