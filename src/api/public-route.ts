// A public route: an endpoint without authentication, and the server state it replies from.
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
  /** The schema of the request body, by media type. */
  readonly takes?: Readonly<Record<string, object>>
  /** The schema of the response body, by media type. */
  readonly answers: Readonly<Record<string, object>>
  /** Also served before first-run set-up. */
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
  /** Names of the features that are currently unavailable. */
  readonly degraded: () => readonly string[]
  readonly isStopping: () => boolean
  /** Called when first-run set-up is complete. */
  readonly onOwned?: () => void
}
