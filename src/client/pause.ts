// Waiting: for a moment, and longer each time that a call fails.

/** Resolves after so many milliseconds, and at once when the signal is given. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve()
      return
    }
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal?.addEventListener('abort', end)
  })
}

/** Milliseconds before the next attempt, `attempt` from 1: doubled each time, and spread so that clients do not come together. */
export function backoff(attempt: number): number {
  return Math.min(firstPause * 2 ** (attempt - 1), longestPause) * (0.5 + chance() / 2)
}

const firstPause = 200
const longestPause = 20_000

function chance(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32
}
