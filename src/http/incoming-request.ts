// Incoming request: what an endpoint sees of Node's message and response.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { BodyInFlight, BodyReader } from './body.ts'
import { pathAndQuery, requestId } from './request-line.ts'
import type { Endpoint, KnownCaller, Request } from './request.ts'
import type { UnauthenticatedConnections } from './unauthenticated-connections.ts'
import type { UnreadReplies } from './unread-replies.ts'
import { plainAddress } from '../lib/network.ts'

/** What the requests of a server share. */
export interface RequestContext {
  readonly bodies: BodyReader
  readonly unreadReplies: UnreadReplies
  readonly unauthenticatedConnections: UnauthenticatedConnections
  /** Whether the client used TLS, possibly that of a proxy. */
  readonly isOverTls: (request: Request) => boolean
  /** The network of the client, as of a trusted proxy. */
  readonly clientNetwork: (request: Request) => string
  readonly monotonicMs: () => number
}

export class IncomingRequest implements Request {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly id: string
  readonly endpoint: Pick<Endpoint, 'path' | 'bodyBytesMax'>
  readonly message: IncomingMessage
  readonly response: ServerResponse
  bodyBytesMax?: number
  caller?: KnownCaller
  /** Null until an endpoint reads the body. */
  bodyInFlight: BodyInFlight | null = null
  readonly #context: RequestContext
  readonly #startedAtMs: number
  #onClose: Set<() => void> | null = null

  constructor(
    message: IncomingMessage,
    response: ServerResponse,
    endpoint: Pick<Endpoint, 'path' | 'bodyBytesMax'>,
    context: RequestContext,
  ) {
    const url = pathAndQuery(message.url ?? '/')
    const question = url.indexOf('?')
    this.method = message.method ?? ''
    this.path = question === -1 ? url : url.slice(0, question)
    this.search = question === -1 ? '' : url.slice(question + 1)
    this.id = requestId(message.headers['x-request-id'])
    this.endpoint = endpoint
    this.message = message
    this.response = response
    this.#context = context
    this.#startedAtMs = context.monotonicMs()
  }

  header(name: string): string | undefined {
    const value = this.message.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  async body(): Promise<Buffer> {
    this.removeConnectionLimit()
    const { bodies, unreadReplies, clientNetwork } = this.#context
    if (this.caller !== undefined) unreadReplies.requireCapacity(this.caller)
    this.bodyInFlight ??= { sender: { caller: this.caller, network: clientNetwork(this) }, bytes: 0 }
    return bodies.read(this.message, this.response, this.bodyInFlight, this.bodyBytesMax ?? this.endpoint.bodyBytesMax)
  }

  /** Where the caller is known: its connection is not limited from then on. */
  removeConnectionLimit(): void {
    if (this.caller !== undefined) this.#context.unauthenticatedConnections.remove(this.message.socket)
  }

  /** One listener for all callbacks: every read of a batch may add one. */
  onDisconnect(callback: () => void): () => void {
    if (this.response.destroyed) {
      callback()
      return () => undefined
    }
    if (this.#onClose === null) {
      const callbacks = new Set<() => void>()
      this.#onClose = callbacks
      this.response.once('close', () => callbacks.forEach((one) => one()))
    }
    const callbacks = this.#onClose
    callbacks.add(callback)
    return () => callbacks.delete(callback)
  }

  get address(): string {
    return this.message.socket.remoteAddress ?? ''
  }

  get secure(): boolean {
    const { socket } = this.message
    return 'encrypted' in socket && socket.encrypted === true
  }

  get origin(): string {
    const host = this.header('host') ?? localHost(this.message.socket)
    return `${this.#context.isOverTls(this) ? 'https' : 'http'}://${host}`
  }

  get elapsedMs(): number {
    return this.#context.monotonicMs() - this.#startedAtMs
  }
}

/** The address that the client has connected to, for HTTP/1.0 without a Host header. */
function localHost({ localAddress = 'localhost', localPort }: Socket): string {
  const address = plainAddress(localAddress)
  const name = address.includes(':') ? `[${address}]` : address
  return localPort === undefined ? name : `${name}:${localPort}`
}
