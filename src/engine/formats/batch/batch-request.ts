// A request of an OData batch, parsed from multipart or JSON, and the errors of batch parsing.
import { ApiError } from '../../../errors/api-error.ts'
import { message, type MessageCode } from '../../../errors/messages.ts'
import { urlTooLongError } from '../../../errors/request-limits.ts'

export interface BatchRequest {
  /** The name that other requests of the batch refer to it by; null if it has none. */
  readonly id: string | null
  /** Requests of one group (a change set) are executed atomically. */
  readonly group: string | null
  /** Preceding requests and groups that must have succeeded. */
  readonly dependsOn: readonly string[]
  readonly method: string
  /** As sent: absolute, relative to the host, or relative to the service root. */
  readonly url: string
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  /** Has an `if` condition on other replies. */
  readonly isConditional?: true
}

export const batchRequestsMax = 1000

/** Of each request, as if it were sent alone; but its query may be as long as one in a body. */
export interface BatchLimits {
  readonly headersBytesMax: number
  readonly headersMax: number
  readonly urlBytesMax: number
  readonly bodyBytesMax: number
}

/** Throws `UrlTooLong`. */
export function requireShortUrl(url: string, target: string, limits: BatchLimits): void {
  const [path = ''] = url.split('?', 1)
  if (path.length > limits.urlBytesMax) throw urlTooLongError(limits, 'urlBytesMax', target)
  if (url.length > limits.bodyBytesMax) throw urlTooLongError(limits, 'bodyBytesMax', target)
}

/** `target` is the location in the batch: `part 3`, `requests[2].url`. */
export function invalidBatchError(target: string, problem: MessageCode): ApiError {
  return new ApiError('InvalidBatch', { target, params: { problem: message(problem) } })
}

export function batchTooLargeError(): ApiError {
  const limitName = 'batchRequestsMax'
  return new ApiError('BatchTooLarge', { params: { max: batchRequestsMax, limitName } })
}
