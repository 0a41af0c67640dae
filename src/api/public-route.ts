// An address that is open to everybody, and what its answers are made of.
import type { Gate } from '../auth/authenticator/authenticator.ts'
import type { Minting } from '../auth/tokens/credential-factory.ts'
import type { Limits } from '../http/limits.ts'
import type { Reply, Request } from '../http/request.ts'
import type { Store } from '../store/store.ts'

export interface OpenRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly summary: string
  readonly status?: number
  /** By media type: the schema of what is taken. */
  readonly takes?: Readonly<Record<string, object>>
  /** By media type: the schema of what is answered. */
  readonly answers: Readonly<Record<string, object>>
  /** Served before the server belongs to somebody. */
  readonly isEarly?: true
  readonly answer: (request: Request, state: ServerState) => Promise<Reply>
}

export interface ServerState {
  readonly store: Store
  readonly gate: Gate
  readonly minting: Minting
  readonly version: string
  readonly limits: Limits
  /** The OpenAPI document. */
  readonly document: object
  /** What the server does without, while it goes on serving. */
  readonly degraded: () => readonly string[]
  readonly isStopping: () => boolean
  /** Told as soon as the server belongs to somebody. */
  readonly onOwned?: () => void
}
