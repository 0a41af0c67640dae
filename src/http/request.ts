// HTTP requests, replies and endpoints, independent of the framework.
import type { ApiError } from '../errors/api-error.ts'

export interface Request {
  readonly method: string
  /** The path as sent, without the query. */
  readonly path: string
  /** The raw query, without the question mark. */
  readonly search: string
  /** One header by its lower-case name. */
  header(name: string): string | undefined
  /** Empty if there is none. Rejects if the body is too large, too slow or compressed. */
  body(): Promise<Buffer>
  /** The IP address at the other end of the socket. */
  readonly address: string
  /** Whether the socket uses TLS. */
  readonly secure: boolean
  /** `https://host`, as the client addressed the server. */
  readonly origin: string
  /** Calls back when the client disconnects before it has the reply; returns the function that unsubscribes. */
  onDisconnect(callback: () => void): () => void
  /** The request id, also in the reply's `X-Request-Id`, in error bodies and in the log. */
  readonly id: string
  /** The maximum size of the body, where it is lower than that of the endpoint: of a path without a route of its own. */
  bodyBytesMax?: number
  /** Set when the caller is authenticated, so that errors are logged with it. */
  caller?: KnownCaller
}

/**
 * A request within another, from the same client, without the caller: a plain copy with the changes, because spreading an instance
 * of a class would lose its methods.
 */
export function deriveRequest(request: Request, changes: Partial<Omit<Request, 'caller'>>): Request {
  return {
    method: request.method,
    path: request.path,
    search: request.search,
    header: (name) => request.header(name),
    body: () => request.body(),
    address: request.address,
    secure: request.secure,
    origin: request.origin,
    id: request.id,
    onDisconnect: (callback) => request.onDisconnect(callback),
    ...changes,
  }
}

/** The ids of an authenticated caller. */
export interface KnownCaller {
  readonly companyId: number
  readonly credentialId: string
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** One `Set-Cookie` header each. */
  readonly cookies?: readonly string[]
  /**
   * Pieces are sent together, and their buffers belong to the reply, which empties them; chunks are sent as the client reads
   * them; null is a reply without a body.
   */
  readonly body: string | Buffer | readonly (string | Buffer)[] | AsyncIterable<string | Buffer> | null
  /** What a body of chunks may hold in memory while it waits for its reader, unless that has another limit. */
  readonly heldBytes?: number
  /** Fields of the log line. */
  readonly logContext?: LogContext
  /** Ends an endless body (server-sent events) when the server stops. */
  readonly onStop?: () => void
  /** Sends nothing and closes the connection, to simulate a network failure. */
  readonly isDropped?: true
}

/** Log fields of a reply: ids and codes, never names or contents. */
export interface LogContext {
  readonly companyId?: number
  readonly credentialId?: string
  readonly code?: string
  /** The error message of a failed database or disk. */
  readonly reason?: string
  /** The error that the caller received, for the API call log of its company; not logged. */
  readonly apiError?: Pick<ApiError, 'code' | 'params' | 'target' | 'details'>
  /** The cause of an `InternalError`. */
  readonly error?: unknown
}

export type Method = 'HEAD' | 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A route of the server. */
export interface Endpoint {
  readonly method: Method
  readonly path: string
  readonly bodyBytesMax: number
  /** Also served before first-run set-up. */
  readonly isServedBeforeSetup?: true
  /** Replies that nothing exists at the path: other methods do not have it either. */
  readonly isFallback?: true
  readonly handle: (request: Request) => Promise<Reply>
}
