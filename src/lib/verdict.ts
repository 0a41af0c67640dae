// Verdicts of checks.

export interface Verdict {
  readonly verdict: 'ok' | 'advice' | 'wrong'
  readonly message: string
}

/** By the names of the checks. */
export type Verdicts = Readonly<Record<string, Verdict | readonly Verdict[]>>

export function ok(message: string): Verdict {
  return { verdict: 'ok', message }
}

/** Does not affect the exit code. */
export function advice(message: string): Verdict {
  return { verdict: 'advice', message }
}

export function wrong(message: string): Verdict {
  return { verdict: 'wrong', message }
}
