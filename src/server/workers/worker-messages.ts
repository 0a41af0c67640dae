// What a worker and the process that started it say to one another.

export type Message =
  /** Asks for the sockets to listen on; each comes with a message of its own, which says how many there are. */
  | { readonly says: 'listens' }
  | { readonly says: 'socket'; readonly of: number }
  | { readonly says: 'serves'; readonly address: string }
  /** Asks for what was counted; the answer carries the same turn. */
  | { readonly says: 'count'; readonly turn: number }
  | { readonly says: 'counted'; readonly turn: number; readonly snapshot: object }

/** Messages of the runtime come the same way. */
export function isMessage(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'says' in message
}
