// Hash queue: computes at most two password hashes at once and queues a few more.
import { ApiError } from '../../errors/api-error.ts'

export interface HashQueueLimits {
  readonly runningMax: number
  readonly waitingMax: number
  /** Queue positions that are reserved for known networks. */
  readonly reservedForKnown: number
}

const defaultLimits: HashQueueLimits = { runningMax: 2, waitingMax: 64, reservedForKnown: 16 }

export class HashQueue {
  readonly #limits: HashQueueLimits
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(limits: HashQueueLimits = defaultLimits) {
    this.#limits = limits
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Runs the work in turn; throws `Overloaded` immediately when the queue is full. */
  async run<T>(isKnown: boolean, work: () => Promise<T>): Promise<T> {
    await this.#acquire(isKnown)
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // The slot passes directly to the next waiter, so that no new call can take it.
      if (next === undefined) this.#running--
      else next()
    }
  }

  #acquire(isKnown: boolean): Promise<void> {
    const { runningMax, waitingMax, reservedForKnown } = this.#limits
    if (this.#running < runningMax) {
      this.#running++
      return Promise.resolve()
    }
    if (this.#waiting.length >= waitingMax - (isKnown ? 0 : reservedForKnown))
      throw new ApiError('Overloaded', { headers: { 'Retry-After': '2' } })
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }
}
