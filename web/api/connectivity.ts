// Whether the server can be reached, and when it was heard of last: what is shown is as old as that.

export interface Reach {
  /** What was asked last did not get through. */
  readonly isAway: boolean
  /** Milliseconds since 1970. */
  readonly heardAt: number
}

let reach: Reach = { isAway: false, heardAt: Date.now() }
let lostAt = 0
const watchers = new Set<() => void>()

export function reachNow(): Reach {
  return reach
}

export function watchReach(changed: () => void): () => void {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

/**
 * @param askedAt when the question was asked, in milliseconds since 1970. An answer that was under way when the net
 *   went tells nothing of now.
 */
export function noteHeard(askedAt = Date.now()): void {
  if (askedAt >= lostAt) note({ isAway: false, heardAt: Date.now() })
}

export function noteAway(): void {
  lostAt = Date.now()
  note({ ...reach, isAway: true })
}

/** Whoever watches is told when it turns, and not of every answer. */
function note(next: Reach): void {
  const hasTurned = next.isAway !== reach.isAway
  reach = next
  if (hasTurned) for (const changed of watchers) changed()
}

window.addEventListener('offline', noteAway)
