// What went wrong with a call, as the server told it, or that nothing was heard of the server.

/** Whether anything was done: `unknown` asks for the same call again, which is harmless. */
export type Outcome = 'applied' | 'not_applied' | 'unknown'

export interface Told {
  /** 0 where no answer came. */
  readonly status: number
  /** Of docs/errors.md; `Unreachable` where no answer came, `UnknownAnswer` for one that is not the server's. */
  readonly code: string
  readonly message: string
  /** The field, the option or the row that it is about. */
  readonly target: string | null
  /** Under which the server's log has the call. */
  readonly requestId: string | null
  readonly outcome: Outcome
  /** One per element, where the call was refused element by element. */
  readonly results: readonly ElementResult[]
  /** The record or claim that stands in the way. */
  readonly existing: number | null
  readonly retryAfterSeconds: number | null
}

/** What became of an element of a list: a code, and what belongs to it. */
export interface ElementResult {
  readonly id?: number | string | null
  readonly code: string
  readonly [more: string]: unknown
}

/** A call that was refused, or not answered. */
export class DagsverkError extends Error implements Told {
  override readonly name = 'DagsverkError'
  readonly status: number
  readonly code: string
  readonly target: string | null
  readonly requestId: string | null
  readonly outcome: Outcome
  readonly results: readonly ElementResult[]
  readonly existing: number | null
  readonly retryAfterSeconds: number | null

  constructor(told: Told, cause?: unknown) {
    super(`${told.code}: ${told.message}`, { cause })
    this.status = told.status
    this.code = told.code
    this.target = told.target
    this.requestId = told.requestId
    this.outcome = told.outcome
    this.results = told.results
    this.existing = told.existing
    this.retryAfterSeconds = told.retryAfterSeconds
  }

  /** Whether the same call may do better in a while. */
  get isPassing(): boolean {
    return passing.has(this.status) || (this.status === 409 && this.retryAfterSeconds !== null)
  }
}

const passing: ReadonlySet<number> = new Set([0, 408, 429, 502, 503, 504])

/** No answer, or not all of one: what was asked for may have been done. */
export function unreachable(url: string, cause: unknown): DagsverkError {
  return new DagsverkError(
    {
      status: 0,
      code: 'Unreachable',
      message: `no answer from ${url}${cause instanceof Error ? `: ${reasonOf(cause)}` : ''}`,
      ...nothing,
    },
    cause,
  )
}

function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

/** The refusal in an answer. A proxy in between may have written a page of its own. */
export function refusalIn(answer: Response, text: string): DagsverkError {
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN)
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : null
  const error = errorIn(text)
  if (error === null) {
    const message = `${answer.status} with a body that is not the server's`
    return new DagsverkError({
      status: answer.status,
      code: 'UnknownAnswer',
      message,
      ...nothing,
      retryAfterSeconds,
    })
  }
  return new DagsverkError({
    status: answer.status,
    code: error.code,
    message: error.message ?? '',
    target: error.target ?? null,
    requestId: error.requestId ?? answer.headers.get('x-request-id'),
    outcome: error.outcome ?? 'not_applied',
    results: error.resultater ?? [],
    existing: error.existing ?? null,
    retryAfterSeconds,
  })
}

const nothing = {
  target: null,
  requestId: null,
  outcome: 'unknown',
  results: [],
  existing: null,
  retryAfterSeconds: null,
} as const

interface WireError {
  readonly code: string
  readonly message?: string
  readonly target?: string | null
  readonly requestId?: string
  readonly outcome?: Outcome
  readonly existing?: number | null
  readonly resultater?: readonly ElementResult[]
}

function errorIn(text: string): WireError | null {
  try {
    const { error }: { error?: WireError } = JSON.parse(text)
    return typeof error?.code === 'string' ? error : null
  } catch {
    return null
  }
}
