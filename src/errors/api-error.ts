// ApiError: the exception that becomes an error response, with its location and details.
import { errorCatalog, errorMessage, type ErrorCode } from './catalog.ts'
import { message, type LocalizedMessage, type MessageCode, type MessageParams } from './messages.ts'

/** Whether the request had an effect: `not_applied` is certain, `unknown` means that it may have been applied. */
export type RequestOutcome = 'not_applied' | 'unknown'

/** One of several problems of a request. */
export interface ErrorDetail {
  readonly code: ErrorCode
  readonly target: string | null
  readonly params: MessageParams
  /** The key of the record that the request conflicts with. */
  readonly existing?: number
}

export interface ApiErrorOptions {
  /** The location of the problem: `[3].Dato`, `$filter:17`, `header:tb-key`. */
  readonly target?: string | undefined
  /**
   * Values of the message's `{placeholders}`; `unknown` appends the unknown names, `nearest` "Did you mean …?",
   * `limitName` the name of the exceeded limit in `/limits`.
   */
  readonly params?: MessageParams
  readonly details?: readonly ErrorDetail[] | undefined
  /** The number of all problems, when `details` holds only the first of them. */
  readonly problems?: number
  readonly existing?: number | undefined
  readonly outcome?: RequestOutcome
  /** The result of each element of a list that is rejected as a whole. */
  readonly results?: readonly ItemResult[]
  /** Response headers: `Allow`, `Retry-After`, `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Logged only; never part of a response. */
  readonly cause?: unknown
}

/** The result of one element of a list: an error code, or a code of the operation. */
export interface ItemResult {
  readonly code: string
  readonly [member: string]: ItemResultValue
}

export type ItemResultValue = string | number | boolean | null

/** An error that becomes an error response. Any other exception is a bug and becomes `InternalError`. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly target: string | null
  readonly params: MessageParams
  readonly details: readonly ErrorDetail[]
  readonly problems: number
  readonly existing: number | null
  /** Null unless the error reports a result per element. */
  readonly results: readonly ItemResult[] | null
  readonly outcome: RequestOutcome
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(errorMessage(code, options.params ?? {}, 'en'), { cause: options.cause })
    this.name = 'ApiError'
    this.code = code
    this.status = errorCatalog[code].status
    this.target = options.target ?? null
    this.params = options.params ?? {}
    this.details = (options.details ?? []).slice(0, detailsMax)
    this.problems = options.problems ?? this.details.length
    this.existing = options.existing ?? null
    this.results = options.results ?? null
    this.outcome = options.outcome ?? 'not_applied'
    this.headers = options.headers ?? {}
  }

  /** This error as a detail of an enclosing one: `Dato` in row 3 gets the target `[3].Dato`. */
  toDetail(parentTarget = ''): ErrorDetail {
    const target =
      parentTarget + (this.target === null || this.target.startsWith('[') || parentTarget === '' ? '' : '.')
    return {
      code: this.code,
      target: target + (this.target ?? '') || null,
      params: this.params,
      ...(this.existing === null ? {} : { existing: this.existing }),
    }
  }
}

/** An error of one field: its name is the location, and the `{field}` of the message. */
export function fieldError(code: ErrorCode, field: string, params: MessageParams = {}): ApiError {
  return new ApiError(code, { target: field, params: { field, ...params } })
}

/** A feature of the standard that this service does not support. */
export function notSupportedError(feature: MessageCode, target?: string): ApiError {
  return new ApiError('NotSupported', { target, params: { feature: message(feature) } })
}

/** `what` does not exist: a name, or a message fragment. */
export function notFoundError(what: string | LocalizedMessage): ApiError {
  return new ApiError('NotFound', { params: { what } })
}

/** One detail as an error, or several: the error has the code and target of the first. */
export function errorOfDetails(details: readonly ErrorDetail[]): ApiError {
  const [first] = details
  if (first === undefined) throw new Error('an error without a detail')
  return new ApiError(first.code, {
    params: first.params,
    target: first.target ?? undefined,
    existing: first.existing,
    details: details.length === 1 ? undefined : details,
  })
}

/** The maximum number of details in an error body; `problems` counts all of them. */
export const detailsMax = 100
