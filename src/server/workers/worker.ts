// Worker process: requests its sockets from the primary, reports its address and metrics.
import cluster from 'node:cluster'
import type { ListeningSocket } from '../../http/listening-sockets.ts'
import type { Metrics } from '../metrics/metrics.ts'

/** A message between a worker and the primary process. */
export type WorkerMessage =
  /** Requests the listening sockets; each arrives with its own message, which contains their number. */
  | { readonly type: 'listens' }
  | { readonly type: 'socket'; readonly of: number }
  | { readonly type: 'serves'; readonly address: string }
  /** Requests the metrics; the reply has the same `requestId`. */
  | { readonly type: 'count'; readonly requestId: number }
  | { readonly type: 'counted'; readonly requestId: number; readonly snapshot: object }

export interface WorkerProcess {
  readonly id: number
  /** The listening sockets that all workers share. */
  sockets(): Promise<ListeningSocket[]>
  reportServing(address: string): void
  /** Replies to metrics requests of the primary. */
  serveMetrics(metrics: Metrics): void
  /** Disconnects from the primary; the open channel would keep the process alive. */
  disconnect(): void
}

/** Null in a single server process, and in the primary. */
export function currentWorker(): WorkerProcess | null {
  const { worker } = cluster
  if (worker === undefined) return null
  const send = (message: WorkerMessage) => {
    if (worker.isConnected()) worker.send(message)
  }
  return {
    id: worker.id,
    sockets: () =>
      new Promise((resolve) => {
        const sockets: ListeningSocket[] = []
        worker.on('message', (message: unknown, socket: ListeningSocket) => {
          if (!isMessage(message) || message.type !== 'socket') return
          sockets.push(socket)
          if (sockets.length === message.of) resolve(sockets)
        })
        send({ type: 'listens' })
      }),
    reportServing: (address) => send({ type: 'serves', address }),
    serveMetrics: (metrics) => {
      worker.on('message', (message: unknown) => {
        if (!isMessage(message) || message.type !== 'count') return
        const { requestId } = message
        void metrics.snapshot().then((snapshot) => send({ type: 'counted', requestId, snapshot }))
      })
    },
    disconnect: () => {
      if (worker.isConnected()) worker.disconnect()
    },
  }
}

/** Node sends messages of its own on the same channel. */
export function isMessage(message: unknown): message is WorkerMessage {
  return typeof message === 'object' && message !== null && 'type' in message
}
