// How far a long command is: one line that is written over where somebody watches, and nothing where nobody does.
import type { World } from '../../server/environment.ts'

export interface Progress {
  /** `done` of `total`, at most ten times a second. */
  readonly show: (what: string, done: number, total: number) => void
  /** Makes room for other words. */
  readonly clear: () => void
}

export function progressOn(world: World): Progress {
  const { isWatched = false } = world
  let shownAt = 0
  return {
    show: (what, done, total) => {
      const now = world.clock()
      if (!isWatched || (now - shownAt < pauseMicroseconds && done < total)) return
      shownAt = now
      world.tell(`${start}${what} ${bar(done, total)} ${done} of ${total}`)
    },
    clear: () => {
      if (shownAt !== 0) world.tell(start)
    },
  }
}

const pauseMicroseconds = 100_000

/** Back to the first column, and everything behind it wiped. */
const start = '\r\u001B[K'

const width = 30

function bar(done: number, total: number): string {
  const filled = total === 0 ? width : Math.floor((width * done) / total)
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]`
}
