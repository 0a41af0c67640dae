// A worker as it sees the process that started it: says where it serves, and what it has counted when it is asked.
import cluster from 'node:cluster'
import { isMessage, type Message } from '#cli/worker-messages.ts'
import type { Metrics } from '#metrics/metrics.ts'

export interface ThisWorker {
  readonly id: number
  serves(address: string): void
  /** Answers whoever asks for what was counted. */
  counts(metrics: Metrics): void
  /** Nothing more is to be said: the process may end. */
  leave(): void
}

/** Null in a process that serves alone, and in the one that started the workers. */
export const thisWorker = (): ThisWorker | null => {
  const { worker } = cluster
  if (worker === undefined) return null
  const say = (message: Message) => {
    if (worker.isConnected()) worker.send(message)
  }
  return {
    id: worker.id,
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
