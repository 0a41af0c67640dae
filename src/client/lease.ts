// Lease heartbeat: extends a claim while its lines are handled, and detects its loss.
import { DagsverkError } from './error.ts'

export interface Lease {
  /** Another worker may have claimed the lines. */
  readonly isLost: boolean
  end(): void
}

/** Extends the claim three times per lease period until `end` is called. */
export function startLease(extend: () => Promise<unknown>, leaseSeconds: number): Lease {
  let isLost = false
  const lose = () => {
    isLost = true
  }
  const start = () => setTimeout(lose, leaseSeconds * 1000)
  let limit = start()
  const heartbeat = setInterval(
    () => {
      // Starts before the request, because the server starts its period later.
      const next = start()
      extend().then(
        () => {
          clearTimeout(limit)
          limit = next
        },
        (error: unknown) => {
          clearTimeout(next)
          if (error instanceof DagsverkError && !error.isRetryable) lose()
        },
      )
    },
    (leaseSeconds * 1000) / 3,
  )
  return {
    get isLost() {
      return isLost
    },
    end: () => {
      clearInterval(heartbeat)
      clearTimeout(limit)
    },
  }
}
