// Connectivity: whether the server can be reached, and when it last replied.

export interface Reach {
  /** The latest request did not get through. */
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

/** @param startedAt milliseconds since 1970. A reply that was under way when the connection was lost proves nothing. */
export function noteHeard(askedAt = Date.now()): void {
  if (askedAt >= lostAt) note({ isAway: false, heardAt: Date.now() })
}

export function noteAway(): void {
  lostAt = Date.now()
  note({ ...reach, isAway: true })
}

/** Notifies listeners when connectivity changes, not on every reply. */
function note(next: Reach): void {
  const hasTurned = next.isAway !== reach.isAway
  reach = next
  if (hasTurned) for (const changed of watchers) changed()
}

window.addEventListener('offline', noteAway)
