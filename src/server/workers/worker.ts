// A worker as it sees the process that started it: asks what to listen on, says where it serves, and what it has counted.
import cluster from 'node:cluster'
import { isMessage, type Message } from './worker-messages.ts'
import type { HeldSocket } from '../../http/listening-sockets.ts'
import type { Metrics } from '../metrics/metrics.ts'

export interface ThisWorker {
  readonly id: number
  /** What all workers listen on. */
  sockets(): Promise<HeldSocket[]>
  serves(address: string): void
  /** Answers whoever asks for what was counted. */
  counts(metrics: Metrics): void
  /** Nothing more is to be said. As long as it could be, the process does not end. */
  leave(): void
}

/** Null in a process that serves alone, and in the one that started the workers. */
export function thisWorker(): ThisWorker | null {
  const { worker } = cluster
  if (worker === undefined) return null
  const say = (message: Message) => {
    if (worker.isConnected()) worker.send(message)
  }
  return {
    id: worker.id,
    sockets: () =>
      new Promise((resolve) => {
        const sockets: HeldSocket[] = []
        worker.on('message', (message: unknown, socket: HeldSocket) => {
          if (!isMessage(message) || message.says !== 'socket') return
          sockets.push(socket)
          if (sockets.length === message.of) resolve(sockets)
        })
        say({ says: 'listens' })
      }),
    serves: (address) => say({ says: 'serves', address }),
    counts: (metrics) => {
      worker.on('message', (message: unknown) => {
        if (!isMessage(message) || message.says !== 'count') return
        const { turn } = message
        void metrics.snapshot().then((snapshot) => say({ says: 'counted', turn, snapshot }))
      })
    },
    leave: () => {
      if (worker.isConnected()) worker.disconnect()
    },
  }
}
