// Keeps a claim alive while its lines are handled, and knows when that has failed.
import { DagsverkError } from './error.ts'

export interface Lease {
  /** Somebody else may hold the lines by now. */
  readonly isLost: boolean
  end(): void
}

/** Extends the claim three times within its length, from now until it is ended. */
export function keepLease(extend: () => Promise<unknown>, leaseSeconds: number): Lease {
  let isLost = false
  const lose = () => {
    isLost = true
  }
  const start = () => setTimeout(lose, leaseSeconds * 1000)
  let limit = start()
  const heartbeat = setInterval(
    () => {
      // From before it is asked: the server counts from later.
      const next = start()
      extend().then(
        () => {
          clearTimeout(limit)
          limit = next
        },
        (error: unknown) => {
          clearTimeout(next)
          if (error instanceof DagsverkError && !error.isPassing) lose()
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
