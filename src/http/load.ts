// Load and reply events of the HTTP server, for the log, metrics and the API call log.
import type { IncomingRequest } from './incoming-request.ts'
import type { LogContext, Reply } from './request.ts'

/** A reply when its headers are sent. */
export interface SentReply {
  /** The request id. */
  readonly id: string
  readonly method: string
  /** The route template, or the set of an OData path, never the URL, which may contain a password; `-` for neither. */
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly logContext: LogContext
}

export function toSentReply(
  { id, method, path, endpoint, elapsedMs }: IncomingRequest,
  { status, logContext = noContext }: Reply,
  fallbackRoute: (path: string) => string = () => '-',
): SentReply {
  const route = endpoint.path === '-' ? fallbackRoute(path) : endpoint.path
  return { id, method, route, status, ms: elapsedMs, logContext }
}

const noContext: LogContext = {}

export interface HttpLoad {
  readonly connections: number
  readonly bodyBytesInFlight: number
}
