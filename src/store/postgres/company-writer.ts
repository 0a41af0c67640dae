// The queue of one company: while a transaction runs, the acts that arrive wait and share the next one.
import type pg from 'pg'
import type { CompanyId } from '#model/resource.ts'
import { storeCounters, takeCounters } from '#store/counters.ts'
import { transact, writerOn } from '#store/postgres/connection.ts'
import { isDisconnected, isTransient, postgresFault } from '#store/postgres/errors.ts'
import type { Awaitable, Transaction } from '#store/store.ts'

export class CompanyWriter {
  readonly #pool: pg.Pool
  readonly #companyId: CompanyId
  #waiting: WaitingAct[] = []
  #isRunning = false

  constructor(pool: pg.Pool, companyId: CompanyId) {
    this.#pool = pool
    this.#companyId = companyId
  }

  enqueue<T>(act: (transaction: Transaction) => Awaitable<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = async (transaction: Transaction) => {
        const value = await act(transaction)
        return () => resolve(value)
      }
      this.#waiting.push({ run, fail: reject })
      if (!this.#isRunning) void this.#work()
    })
  }

  async #work(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) await this.#runGroup(this.#waiting.splice(0, actsMax))
    this.#isRunning = false
  }

  /**
   * Most groups go well, so they are tried without savepoints first; a group in which an act fails is run
   * again with them. Only an error of the commit itself leaves open whether the acts took hold.
   */
  async #runGroup(
    acts: readonly WaitingAct[],
    runAll = acts.length === 1 ? runPlain : runOptimistic,
    triesLeft = 5,
  ): Promise<void> {
    let isCommitting = false
    try {
      const answers = await transact(this.#pool, async (client) => {
        const writer = writerOn(client)
        const counters = await takeCounters(writer, this.#companyId)
        const transaction = { ...writer, companyId: this.#companyId, counters }
        const answers = await runAll(client, transaction, acts)
        if (counters.isChanged) await storeCounters(writer, counters)
        isCommitting = true
        return answers
      })
      for (const answer of answers) answer()
    } catch (error) {
      if (error instanceof ActFailed) return this.#runGroup(acts, runGuarded, triesLeft)
      if (isTransient(error) && triesLeft > 0) return this.#runGroup(acts, runAll, triesLeft - 1)
      const refusal = postgresFault(error, isCommitting ? 'unknown' : 'not_applied') ?? error
      for (const act of acts) act.fail(refusal)
    }
  }
}

type RunAll = (
  client: pg.PoolClient,
  transaction: Transaction,
  acts: readonly WaitingAct[],
) => Promise<(() => void)[]>

const runPlain: RunAll = async (_client, transaction, acts) => {
  const answers: (() => void)[] = []
  for (const act of acts) answers.push(await act.run(transaction))
  return answers
}

/** One act's error is not to fail its neighbours: the group has to be run again. */
class ActFailed extends Error {}

const runOptimistic: RunAll = async (client, transaction, acts) => {
  try {
    return await runPlain(client, transaction, acts)
  } catch (error) {
    throw isTransient(error) || isDisconnected(error) ? error : new ActFailed('', { cause: error })
  }
}

/** Each act in a savepoint, so that one can fail without its neighbours. */
const runGuarded: RunAll = async (client, transaction, acts) => {
  const answers: (() => void)[] = []
  for (const act of acts) {
    const saved = transaction.counters.save()
    await client.query('savepoint act')
    try {
      answers.push(await act.run(transaction))
      await client.query('release savepoint act')
    } catch (error) {
      await client.query('rollback to savepoint act')
      transaction.counters.restore(saved)
      const refusal = postgresFault(error, 'not_applied') ?? error
      answers.push(() => act.fail(refusal))
    }
  }
  return answers
}

const actsMax = 200

/** An act in the queue: how to run it, giving how to answer it after the commit. */
interface WaitingAct {
  readonly run: (transaction: Transaction) => Promise<() => void>
  readonly fail: (error: unknown) => void
}
