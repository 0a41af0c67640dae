// What an endpoint needs to do its work, beside the request.
import type { Gate } from '#auth/gate.ts'
import type { Request, Reply } from '#http/request.ts'
import type { Store } from '#store/store.ts'

export interface Serving {
  readonly store: Store
  readonly gate: Gate
  /** Microseconds UTC. */
  readonly clock: () => number
}

export type Handler = (request: Request, serving: Serving) => Promise<Reply>
