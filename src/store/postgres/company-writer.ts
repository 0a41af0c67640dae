// Company writer: operations that arrive during a transaction share the next one (group commit).
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

/** Totals over all companies. */
export interface Committed {
  commits: number
  actsCommitted: number
}

export class CompanyWriter {
  readonly #pool: pg.Pool
  readonly #companyId: CompanyId
  readonly #committed: Committed
  readonly #limits: TimeLimits | null
  #waiting: Operation[] = []
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

  enqueue<T>(work: (transaction: Transaction) => Awaitable<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = async (transaction: Transaction) => {
        const value = await work(transaction)
        return () => resolve(value)
      }
      const fail = (error: unknown) => reject(postgresFault(error, 'not_applied') ?? error)
      this.#waiting.push({ run, fail })
      if (!this.#isRunning) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) await this.#run(this.#waiting.splice(0, operationsMax))
    this.#isRunning = false
  }

  /** Only after an error of the commit itself is it unknown whether the operations were stored. */
  async #run(
    operations: readonly Operation[],
    hasSavepoints = false,
    triesLeft = 5,
  ): Promise<void> {
    let isCommitting = false
    try {
      const completions = await transact(this.#pool, this.#limits, async (client) => {
        const writer = writerOn(client)
        const transaction: Transaction = {
          ...writer,
          companyId: this.#companyId,
          counters: await takeCounters(writer, this.#companyId),
        }
        const counters = transaction.counters
        const completions = hasSavepoints
          ? await runGuarded(operations, transaction, createSavepoints(client, counters))
          : await runTogether(operations, transaction)
        if (counters.isChanged) await storeCounters(writer, counters)
        isCommitting = true
        return completions
      })
      this.#committed.commits++
      this.#committed.actsCommitted += operations.length
      for (const complete of completions) complete()
    } catch (error) {
      const cause = error instanceof ActFailed ? error.cause : error
      if (isTransient(cause) && triesLeft > 0)
        return this.#run(operations, hasSavepoints, triesLeft - 1)
      if (error instanceof ActFailed && operations.length > 1 && !isDisconnected(cause))
        return this.#run(operations, true, triesLeft)
      const fault = postgresFault(cause, isCommitting ? 'unknown' : 'not_applied') ?? cause
      for (const operation of operations) operation.fail(fault)
    }
  }
}

function createSavepoints(client: pg.PoolClient, counters: Counters): Savepoints {
  let saved = counters.save()
  return {
    set: async () => {
      saved = counters.save()
      await client.query('savepoint operation')
    },
    release: async () => void (await client.query('release savepoint operation')),
    rollBack: async () => {
      await client.query('rollback to savepoint operation')
      counters.restore(saved)
    },
  }
}

const operationsMax = 200

type Operation = WaitingAct<Transaction>
