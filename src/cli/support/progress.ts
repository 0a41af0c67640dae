// Progress bar on a terminal; prints nothing otherwise.
import type { Runtime } from '../../server/environment.ts'

export interface Progress {
  /** Shows `done` of `total`, at most ten times a second. */
  readonly show: (what: string, done: number, total: number) => void
  /** Clears the line before other output. */
  readonly clear: () => void
}

export function createProgress(runtime: Runtime): Progress {
  const { isInteractive = false } = runtime
  let shownAt = 0
  return {
    show: (what, done, total) => {
      const now = runtime.clock()
      if (!isInteractive || (now - shownAt < intervalMicroseconds && done < total)) return
      shownAt = now
      runtime.printMessage(`${clearLine}${what} ${bar(done, total)} ${done} of ${total}`)
    },
    clear: () => {
      if (shownAt !== 0) runtime.printMessage(clearLine)
    },
  }
}

const intervalMicroseconds = 100_000

/** Moves to the first column and clears the line. */
const clearLine = '\r\u001B[K'

const width = 30

function bar(done: number, total: number): string {
  const filled = total === 0 ? width : Math.floor((width * done) / total)
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]`
}
