// Error catalogue: every error code with its HTTP status and messages, and the class that is thrown.
import { authErrors } from './catalog/auth.ts'
import { conflictErrors } from './catalog/conflict.ts'
import { queryErrors } from './catalog/query.ts'
import { requestErrors } from './catalog/request.ts'
import { serverErrors } from './catalog/server.ts'
import { filled, type Language, type Says } from './messages.ts'

/** Whether the request had an effect: `not_applied` is certain, `unknown` means that it may have been applied. */
export type Outcome = 'not_applied' | 'unknown'

/** One of several problems of a request. */
export interface Detail {
  readonly code: FaultCode
  readonly target: string | null
  readonly says: Says
  /** The key of the record that the request conflicts with. */
  readonly existing?: number
}

export interface FaultOptions {
  /** The location of the problem: `[3].Dato`, `$filter:17`, `header:tb-key`. */
  readonly target?: string
  /** Values of the message's `{placeholders}`; `unknown` appends the unknown names, `nearest` "Did you mean …?". */
  readonly says?: Says
  readonly details?: readonly Detail[]
  /** The number of all problems, when `details` holds only the first of them. */
  readonly problems?: number
  readonly existing?: number
  readonly outcome?: Outcome
  /** The result of each element of a list that is rejected as a whole. */
  readonly results?: readonly Result[]
  /** Response headers: `Allow`, `Retry-After`, `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Logged only; never part of a response. */
  readonly cause?: unknown
}

/** The result of one element of a list: an error code, or a code of the operation. */
export interface Result {
  readonly code: string
  readonly [member: string]: ResultValue
}

export type ResultValue = string | number | boolean | null

/** An error that becomes an error response. Any other exception is a bug and becomes `InternalError`. */
export class Fault extends Error {
  readonly code: FaultCode
  readonly status: number
  readonly target: string | null
  readonly says: Says
  readonly details: readonly Detail[]
  readonly problems: number
  readonly existing: number | null
  /** Null unless the error reports a result per element. */
  readonly results: readonly Result[] | null
  readonly outcome: Outcome
  readonly headers: Readonly<Record<string, string>>

  constructor(code: FaultCode, options: FaultOptions = {}) {
    super(sentence(code, options.says ?? {}, 'en'), { cause: options.cause })
    this.name = 'ApiError'
    this.code = code
    this.status = faults[code].status
    this.target = options.target ?? null
    this.says = options.says ?? {}
    this.details = (options.details ?? []).slice(0, detailsMax)
    this.problems = options.problems ?? this.details.length
    this.existing = options.existing ?? null
    this.results = options.results ?? null
    this.outcome = options.outcome ?? 'not_applied'
    this.headers = options.headers ?? {}
  }

  /** This error as a detail of an enclosing one: `Dato` in row 3 gets the target `[3].Dato`. */
  detail(within = ''): Detail {
    const target =
      within + (this.target === null || this.target.startsWith('[') || within === '' ? '' : '.')
    return {
      code: this.code,
      target: target + (this.target ?? '') || null,
      says: this.says,
      ...(this.existing === null ? {} : { existing: this.existing }),
    }
  }
}

/** The maximum number of details in an error body; `problems` counts all of them. */
export const detailsMax = 100

/** The message of an error code, with its placeholders replaced. */
export function sentence(code: FaultCode, says: Says, language: Language): string {
  const added = Object.entries(additions).filter(([name]) => says[name] !== undefined)
  const text = faults[code][language] + added.map(([, addition]) => addition[language]).join('')
  return filled(text, says, language)
}

const additions = {
  unknown: { en: ' Unknown names: {unknown}.', nb: ' Ukjente navn: {unknown}.' },
  nearest: { en: ' Did you mean "{nearest}"?', nb: ' Mente du «{nearest}»?' },
} as const

/** The catalogue. A released code is never renamed or reused, because callers branch on it. */
export const faults = {
  ...requestErrors,
  ...queryErrors,
  ...authErrors,
  ...conflictErrors,
  ...serverErrors,
} as const

export type FaultCode = keyof typeof faults
