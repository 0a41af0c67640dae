// Errors of the client library.

/** Whether the call was applied. After `unknown` the same call can be repeated safely. */
export type Outcome = 'applied' | 'not_applied' | 'unknown'

/** The result of one element of a request. */
export interface ElementResult {
  readonly id?: number | string | null
  readonly code: string
  readonly [more: string]: unknown
}

/** A call that failed or got no response. */
export class DagsverkError extends Error {
  override readonly name = 'DagsverkError'
  /** 0 when there was no response. */
  readonly status: number = 0
  /** A code of docs/errors.md, `Unreachable` without a response, or `UnknownAnswer` for a foreign response body. */
  readonly code: string = 'Unreachable'
  /** The field, option or row that caused the error. */
  readonly target: string | null = null
  /** The request id in the log of the server. */
  readonly requestId: string | null = null
  readonly outcome: Outcome = 'unknown'
  /** Results per element, for calls with several elements. */
  readonly results: readonly ElementResult[] = []
  /** Id of the conflicting record or claim. */
  readonly existing: number | null = null
  readonly retryAfterSeconds: number | null = null

  constructor({ message, ...details }: ErrorDetails, cause?: unknown) {
    super(`${details.code}: ${message}`, { cause })
    Object.assign(this, details)
  }

  /** Whether the same call can succeed later. */
  get isRetryable(): boolean {
    return retryableStatuses.has(this.status) || (this.status === 409 && this.retryAfterSeconds !== null)
  }
}

type ErrorDetails = Pick<DagsverkError, 'code' | 'message'> &
  Partial<Omit<DagsverkError, 'name' | 'stack' | 'cause' | 'isRetryable'>>

const retryableStatuses: ReadonlySet<number> = new Set([0, 408, 429, 502, 503, 504])

/** No complete response: the call may have been applied. */
export function unreachableError(url: string, cause: unknown): DagsverkError {
  const reason = cause instanceof Error ? `: ${reasonOf(cause)}` : ''
  return new DagsverkError({ code: 'Unreachable', message: `no response from ${url}${reason}` }, cause)
}

function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

/** Parses an error response. Proxies can send pages of their own. */
export function parseErrorReply(response: Response, text: string): DagsverkError {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : null
  const error = parseErrorBody(text)
  if (error === null) {
    const message = `${response.status} with a body that is not the server's`
    return new DagsverkError({ status: response.status, code: 'UnknownAnswer', message, retryAfterSeconds })
  }
  return new DagsverkError({
    status: response.status,
    code: error.code,
    message: error.message ?? '',
    target: error.target ?? null,
    requestId: error.requestId ?? response.headers.get('x-request-id'),
    outcome: error.outcome ?? 'not_applied',
    results: error.resultater ?? [],
    existing: error.existing ?? null,
    retryAfterSeconds,
  })
}

interface WireError {
  readonly code: string
  readonly message?: string
  readonly target?: string | null
  readonly requestId?: string
  readonly outcome?: Outcome
  readonly existing?: number | null
  readonly resultater?: readonly ElementResult[]
}

function parseErrorBody(text: string): WireError | null {
  try {
    const { error }: { error?: WireError } = JSON.parse(text)
    return typeof error?.code === 'string' ? error : null
  } catch {
    return null
  }
}
