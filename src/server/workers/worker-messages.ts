// Messages between a worker and the primary process.

export type WorkerMessage =
  /** Requests the listening sockets; each arrives with its own message, which contains their number. */
  | { readonly type: 'listens' }
  | { readonly type: 'socket'; readonly of: number }
  | { readonly type: 'serves'; readonly address: string }
  /** Requests the metrics; the reply has the same `requestId`. */
  | { readonly type: 'count'; readonly requestId: number }
  | { readonly type: 'counted'; readonly requestId: number; readonly snapshot: object }

/** Node sends messages of its own on the same channel. */
export function isMessage(message: unknown): message is WorkerMessage {
  return typeof message === 'object' && message !== null && 'type' in message
}
