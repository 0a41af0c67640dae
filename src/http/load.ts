// Load and reply events of the HTTP server, for metrics and the API call log.
import type { LogContext } from './request.ts'

/** A reply when its headers are sent. */
export interface SentReply {
  /** The request id. */
  readonly id: string
  readonly method: string
  /** The route template, never the URL; `-` if no route matched. */
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly logContext: LogContext
}

export interface HttpLoad {
  readonly connections: number
  readonly bodyBytesInFlight: number
}
