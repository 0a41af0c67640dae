// Worker process: requests its sockets from the primary, reports its address and metrics.
import cluster from 'node:cluster'
import { isMessage, type Message } from './worker-messages.ts'
import type { HeldSocket } from '../../http/listening-sockets.ts'
import type { Metrics } from '../metrics/metrics.ts'

export interface ThisWorker {
  readonly id: number
  /** The listening sockets that all workers share. */
  sockets(): Promise<HeldSocket[]>
  serves(address: string): void
  /** Replies to metrics requests of the primary. */
  counts(metrics: Metrics): void
  /** Disconnects from the primary; the open channel would keep the process alive. */
  leave(): void
}

/** Null in a single server process, and in the primary. */
export function thisWorker(): ThisWorker | null {
  const { worker } = cluster
  if (worker === undefined) return null
  const send = (message: Message) => {
    if (worker.isConnected()) worker.send(message)
  }
  return {
    id: worker.id,
    sockets: () =>
      new Promise((resolve) => {
        const sockets: HeldSocket[] = []
        worker.on('message', (message: unknown, socket: HeldSocket) => {
          if (!isMessage(message) || message.type !== 'socket') return
          sockets.push(socket)
          if (sockets.length === message.of) resolve(sockets)
        })
        send({ type: 'listens' })
      }),
    serves: (address) => send({ type: 'serves', address }),
    counts: (metrics) => {
      worker.on('message', (message: unknown) => {
        if (!isMessage(message) || message.type !== 'count') return
        const { requestId } = message
        void metrics.snapshot().then((snapshot) => send({ type: 'counted', requestId, snapshot }))
      })
    },
    leave: () => {
      if (worker.isConnected()) worker.disconnect()
    },
  }
}
