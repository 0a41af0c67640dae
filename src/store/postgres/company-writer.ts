// The queue of one company: while a transaction runs, the acts that arrive wait and share the next one.
import type pg from 'pg'
import type { CompanyId } from '../../engine/model/resource.ts'
import {
  ActFailed,
  runGuarded,
  runTogether,
  type Savepoints,
  type WaitingAct,
} from '../transaction-batch.ts'
import { storeCounters, takeCounters } from '../sequence-rows.ts'
import type { Counters } from '../sequences.ts'
import { transact, writerOn } from './connection.ts'
import { isDisconnected, isTransient, postgresFault } from './errors.ts'
import type { Awaitable, Transaction } from '../store.ts'
import type { TimeLimits } from '../time-limits.ts'

/** Counted over all companies. */
export interface Committed {
  commits: number
  actsCommitted: number
}

export class CompanyWriter {
  readonly #pool: pg.Pool
  readonly #companyId: CompanyId
  readonly #committed: Committed
  readonly #limits: TimeLimits | null
  #waiting: Act[] = []
  #isRunning = false

  constructor(
    pool: pg.Pool,
    companyId: CompanyId,
    committed: Committed,
    limits: TimeLimits | null,
  ) {
    this.#limits = limits
    this.#pool = pool
    this.#companyId = companyId
    this.#committed = committed
  }

  get actsWaiting(): number {
    return this.#waiting.length
  }

  enqueue<T>(act: (transaction: Transaction) => Awaitable<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = async (transaction: Transaction) => {
        const value = await act(transaction)
        return () => resolve(value)
      }
      const fail = (error: unknown) => reject(postgresFault(error, 'not_applied') ?? error)
      this.#waiting.push({ run, fail })
      if (!this.#isRunning) void this.#work()
    })
  }

  async #work(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) await this.#runGroup(this.#waiting.splice(0, actsMax))
    this.#isRunning = false
  }

  /** Only an error of the commit itself leaves open whether the acts took hold. */
  async #runGroup(acts: readonly Act[], isGuarded = false, triesLeft = 5): Promise<void> {
    let isCommitting = false
    try {
      const answers = await transact(this.#pool, this.#limits, async (client) => {
        const writer = writerOn(client)
        const counters = await takeCounters(writer, this.#companyId)
        const transaction = { ...writer, companyId: this.#companyId, counters }
        const answers = isGuarded
          ? await runGuarded(acts, transaction, savepointsOn(client, counters))
          : await runTogether(acts, transaction)
        if (counters.isChanged) await storeCounters(writer, counters)
        isCommitting = true
        return answers
      })
      this.#committed.commits++
      this.#committed.actsCommitted += acts.length
      for (const answer of answers) answer()
    } catch (error) {
      const cause = error instanceof ActFailed ? error.cause : error
      if (isTransient(cause) && triesLeft > 0) return this.#runGroup(acts, isGuarded, triesLeft - 1)
      if (error instanceof ActFailed && acts.length > 1 && !isDisconnected(cause))
        return this.#runGroup(acts, true, triesLeft)
      const refusal = postgresFault(cause, isCommitting ? 'unknown' : 'not_applied') ?? cause
      for (const act of acts) act.fail(refusal)
    }
  }
}

function savepointsOn(client: pg.PoolClient, counters: Counters): Savepoints {
  let saved = counters.save()
  return {
    set: async () => {
      saved = counters.save()
      await client.query('savepoint act')
    },
    release: async () => void (await client.query('release savepoint act')),
    rollBack: async () => {
      await client.query('rollback to savepoint act')
      counters.restore(saved)
    },
  }
}

const actsMax = 200

type Act = WaitingAct<Transaction>
