// Lets two costly hashes run at once and a few wait: guessing must not take the machine from those who work.
import { Fault } from '../../errors/catalog.ts'

export interface HashQueueLimits {
  readonly runningMax: number
  readonly waitingMax: number
  /** Of the waiting places, those kept for addresses that were right before. */
  readonly keptForKnown: number
}

const standardQueue: HashQueueLimits = { runningMax: 2, waitingMax: 64, keptForKnown: 16 }

export class HashQueue {
  readonly #limits: HashQueueLimits
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(limits: HashQueueLimits = standardQueue) {
    this.#limits = limits
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Runs the work in its turn; throws `Overloaded` at once where the queue is full. */
  async run<T>(isKnown: boolean, work: () => Promise<T>): Promise<T> {
    await this.#turn(isKnown)
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // The place goes from hand to hand, so that nobody slips in between.
      if (next === undefined) this.#running--
      else next()
    }
  }

  #turn(isKnown: boolean): Promise<void> {
    const { runningMax, waitingMax, keptForKnown } = this.#limits
    if (this.#running < runningMax) {
      this.#running++
      return Promise.resolve()
    }
    if (this.#waiting.length >= waitingMax - (isKnown ? 0 : keptForKnown))
      throw new Fault('Overloaded', { headers: { 'Retry-After': '2' } })
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }
}
