// A request and its reply, as the rest of the house sees them: nothing of sockets or of the framework.

import type { Fault } from '../errors/catalog.ts'

export interface Request {
  readonly method: string
  /** As it was sent, without the query. */
  readonly path: string
  /** The raw query, without the question mark. */
  readonly search: string
  /** One header by its lower-case name. */
  header(name: string): string | undefined
  /** Empty when there is none. Rejects with what is wrong with it: too long, too slow, compressed. */
  body(): Promise<Buffer>
  /** The address at the other end of the socket. */
  readonly address: string
  /** Whether that socket speaks TLS. */
  readonly secure: boolean
  /** `https://host`, as the caller addressed the server. */
  readonly origin: string
  /** Calls back when the client disconnects before it has the reply; returns the function that unsubscribes. */
  onDisconnect(callback: () => void): () => void
  /** Also in the answer's `X-Request-Id`, in error bodies and in the log. */
  readonly id: string
  /** Whoever is found to be calling is noted here, so that refusals are logged with it. */
  caller?: Known
}

/** Who calls, in ids. */
export interface Known {
  readonly companyId: number
  readonly credentialId: string
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** One header each, which `headers` has no room for. */
  readonly cookies?: readonly string[]
  /** Pieces are sent as the caller takes them; null is an answer without a body. */
  readonly body: string | Buffer | AsyncIterable<string | Buffer> | null
  /** For the log line. */
  readonly about?: About
  /** Ends a body that has no end of its own: called when the server stops. */
  readonly onStop?: () => void
  /** Nothing is sent and the connection is cut, as when a network fails at the worst moment. */
  readonly isDropped?: true
}

/** Who called and what came of it: ids and codes, never names or contents. */
export interface About {
  readonly companyId?: number
  readonly credentialId?: string
  readonly code?: string
  /** What the database or the disk said when it failed. */
  readonly reason?: string
  /** What the caller was told; for those who tell it to its company, not for the log. */
  readonly refusal?: Pick<Fault, 'code' | 'says' | 'target' | 'details'>
  /** The cause of an `InternalError`. */
  readonly error?: unknown
}

export type Method = 'HEAD' | 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An address that is served. */
export interface Endpoint {
  readonly method: Method
  readonly path: string
  readonly bodyBytesMax: number
  readonly handle: (request: Request) => Promise<Reply>
}
