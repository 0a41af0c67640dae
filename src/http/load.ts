// What the http room tells of itself to whoever watches.

/** An answer as it begins. */
export interface Answered {
  readonly method: string
  /** The template, never the address; `-` where no route was found. */
  readonly route: string
  readonly status: number
  readonly ms: number
  /** Of a refusal. */
  readonly code?: string
}

export interface HttpLoad {
  readonly connections: number
  readonly bodyBytesInFlight: number
}
