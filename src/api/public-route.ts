// A public route: an endpoint without authentication, and the server state it replies from.
import type { Authenticator } from '../auth/authenticator/authenticator.ts'
import type { CryptoContext } from '../auth/tokens/credential-factory.ts'
import type { Limits } from '../http/limits.ts'
import type { Reply, Request } from '../http/request.ts'
import type { Store } from '../store/store.ts'

export interface PublicRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly summary: string
  readonly status?: number
  /** The schema of the request body, by media type. */
  readonly requestSchemas?: Readonly<Record<string, object>>
  /** The schema of the response body, by media type. */
  readonly responseSchemas: Readonly<Record<string, object>>
  /** Also served before first-run set-up. */
  readonly isServedBeforeSetup?: true
  readonly handle: (request: Request, state: ServerState) => Promise<Reply>
}

export interface OpenapiDocument {
  readonly info: Readonly<Record<string, unknown>>
  readonly paths: Readonly<Record<string, unknown>>
  readonly [name: string]: unknown
}

export interface ServerState {
  readonly store: Store
  readonly authenticator: Authenticator
  readonly cryptoContext: CryptoContext
  readonly version: string
  /** Undefined if it is not known. */
  readonly commit?: string | undefined
  readonly limits: Limits
  readonly document: () => Promise<OpenapiDocument>
  /** Names of the features that are currently unavailable. */
  readonly unavailableFeatures: () => readonly string[]
  /** Concurrent calls share one check. Throws `DatabaseUnavailable`. */
  readonly checkDatabase: () => Promise<{ readonly isExportSuspended: boolean }>
  readonly isStopping: () => boolean
  /** Called when first-run set-up is complete. */
  readonly onSetUp?: () => void
}
