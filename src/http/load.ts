// What the http room tells of itself to whoever watches.
import type { About } from './request.ts'

/** An answer as it begins. */
export interface Answered {
  /** Of the request. */
  readonly id: string
  readonly method: string
  /** The template, never the address; `-` where no route was found. */
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly about: About
}

export interface HttpLoad {
  readonly connections: number
  readonly bodyBytesInFlight: number
}
