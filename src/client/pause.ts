// Abortable pause and exponential backoff.

/** Resolves after the time, or immediately when the signal is aborted. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal?.addEventListener('abort', end)
  })
}

/** Milliseconds before the next attempt; `attempt` starts at 1. Doubles each time, with jitter. */
export function backoff(attempt: number): number {
  const jitter = (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32
  return Math.min(firstPause * 2 ** (attempt - 1), longestPause) * (0.5 + jitter / 2)
}

const firstPause = 200
const longestPause = 20_000
