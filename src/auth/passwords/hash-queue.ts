// Hash queue: computes at most two password hashes at once and queues a few more, trusted callers first.
import { setTimeout } from 'node:timers/promises'
import { ApiError } from '../../errors/api-error.ts'

/**
 * How unlikely a guess is, the least likely first: the secret was correct recently or the browser is known; the network is
 * known, which an attacker may share; neither.
 */
const trustLevels = ['recognized', 'knownNetwork', 'unknown'] as const
export type CallerTrust = (typeof trustLevels)[number]

export interface HashQueueLimits {
  readonly runningMax: number
  readonly waitingMax: number
  /** The least time until a caller is rejected who finds the queue full. */
  readonly rejectionMs: number
}

interface HashWaiter {
  readonly start: () => void
  readonly reject: (error: ApiError) => void
}

export class HashQueue {
  readonly #limits: HashQueueLimits
  readonly #waiters: Readonly<Record<CallerTrust, HashWaiter[]>> = { recognized: [], knownNetwork: [], unknown: [] }
  #running = 0
  #rejecting = 0

  constructor(limits: HashQueueLimits = { runningMax: 2, waitingMax: 64, rejectionMs: 1000 }) {
    this.#limits = limits
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return trustLevels.reduce((sum, trust) => sum + this.#waiters[trust].length, 0)
  }

  /**
   * Runs the work after that of more trusted callers, and of earlier ones of the same trust. In a full queue it takes the
   * last position of a less trusted caller; throws `Overloaded` where there is none, or when its own position is taken.
   */
  async run<T>(trust: CallerTrust, work: () => Promise<T>): Promise<T> {
    await this.#acquire(trust)
    try {
      return await work()
    } finally {
      const next = trustLevels.find((one) => this.#waiters[one].length > 0)
      // The slot passes directly to the next waiter, so that no new call can take it.
      if (next === undefined) this.#running--
      else this.#waiters[next].shift()?.start()
    }
  }

  async #acquire(trust: CallerTrust): Promise<void> {
    if (this.#running < this.#limits.runningMax) {
      this.#running++
      return
    }
    if (this.waiting >= this.#limits.waitingMax && !this.#freePosition(trust)) await this.#reject()
    const { promise, resolve: start, reject } = Promise.withResolvers<void>()
    this.#waiters[trust].push({ start, reject })
    await promise
  }

  /** False where nobody in the queue is less trusted. */
  #freePosition(trust: CallerTrust): boolean {
    const last = trustLevels.findLast((one) => this.#waiters[one].length > 0)
    if (last === undefined || trustLevels.indexOf(last) <= trustLevels.indexOf(trust)) return false
    this.#waiters[last].pop()?.reject(overloadedError())
    return true
  }

  /** Late, and not many at a time, because thousands that guess again at once would use the time of all others. */
  async #reject(): Promise<never> {
    if (this.#rejecting < rejectingMax)
      await setTimeout(this.#limits.rejectionMs + (this.#rejecting++ % spreadMs)).finally(() => this.#rejecting--)
    throw overloadedError()
  }
}

/** More are rejected at once, because each keeps its body in memory. */
const rejectingMax = 4000
const spreadMs = 1000

function overloadedError(): ApiError {
  return new ApiError('Overloaded', { headers: { 'Retry-After': '2' } })
}
