// What a worker and the process that started it say to one another.

export type Message =
  | { readonly says: 'serves'; readonly address: string }
  /** Asks for what was counted; the answer carries the same turn. */
  | { readonly says: 'count'; readonly turn: number }
  | { readonly says: 'counted'; readonly turn: number; readonly snapshot: object }

/** Messages of the runtime come the same way. */
export const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'says' in message
