// Whether the server can be reached, and when it was heard of last: what is shown is as old as that.

export interface Reach {
  /** What was asked last did not get through. */
  readonly isAway: boolean
  /** Milliseconds since 1970. */
  readonly heardAt: number
}

let reach: Reach = { isAway: false, heardAt: Date.now() }
const watchers = new Set<() => void>()

export const reachNow = (): Reach => reach

export const watchReach = (changed: () => void): (() => void) => {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

export const noteHeard = (): void => note({ isAway: false, heardAt: Date.now() })

export const noteAway = (): void => note({ ...reach, isAway: true })

/** Whoever watches is told when it turns, and not of every answer. */
const note = (next: Reach): void => {
  const hasTurned = next.isAway !== reach.isAway
  reach = next
  if (hasTurned) for (const changed of watchers) changed()
}

window.addEventListener('offline', noteAway)
