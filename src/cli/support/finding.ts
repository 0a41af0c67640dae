// Findings of `dagsverk doctor`.

/** A type and not an interface, so that it can be printed as a row. */
export type Finding = { readonly check: string; readonly verdict: 'ok' | 'advice' | 'wrong'; readonly message: string }

export function ok(check: string, message: string): Finding {
  return { check, verdict: 'ok', message }
}

/** Does not affect the exit code. */
export function advice(check: string, message: string): Finding {
  return { check, verdict: 'advice', message }
}

export function wrong(check: string, message: string): Finding {
  return { check, verdict: 'wrong', message }
}
