// Connectivity: whether the server can be reached, and when it last replied.

export interface Connectivity {
  /** The latest request did not get through. */
  readonly isOffline: boolean
  /** Milliseconds since 1970. */
  readonly lastReplyAt: number
}

let current: Connectivity = { isOffline: false, lastReplyAt: Date.now() }
let offlineSince = 0
const listeners = new Set<() => void>()

export function getConnectivity(): Connectivity {
  return current
}

export function subscribeConnectivity(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

/** @param startedAt milliseconds since 1970. A reply that was under way when the connection was lost proves nothing. */
export function recordReply(startedAt = Date.now()): void {
  if (startedAt >= offlineSince) update({ isOffline: false, lastReplyAt: Date.now() })
}

export function recordOffline(): void {
  offlineSince = Date.now()
  update({ ...current, isOffline: true })
}

/** Notifies listeners when connectivity changes, not on every reply. */
function update(next: Connectivity): void {
  const hasTurned = next.isOffline !== current.isOffline
  current = next
  if (hasTurned) for (const changed of listeners) changed()
}

window.addEventListener('offline', recordOffline)
