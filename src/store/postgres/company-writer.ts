// The queue of one company: while a transaction runs, the acts that arrive wait and share the next one.
import type pg from 'pg'
import type { CompanyId } from '#model/resource.ts'
import { storeCounters, takeCounters } from '#store/counters.ts'
import { transact, writerOn } from '#store/postgres/connection.ts'
import { isTransient, postgresFault } from '#store/postgres/errors.ts'
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

  /** Only an error of the commit itself leaves open whether the acts took hold. */
  async #runGroup(acts: readonly WaitingAct[], triesLeft = 5): Promise<void> {
    let isCommitting = false
    try {
      const answers = await transact(this.#pool, async (client) => {
        const writer = writerOn(client)
        const counters = await takeCounters(writer, this.#companyId)
        const transaction = { ...writer, companyId: this.#companyId, counters }
        const answers =
          acts.length === 1
            ? [await acts[0]!.run(transaction)]
            : await runEach(client, transaction, acts)
        if (counters.isChanged) await storeCounters(writer, counters)
        isCommitting = true
        return answers
      })
      for (const answer of answers) answer()
    } catch (error) {
      if (isTransient(error) && triesLeft > 0) return this.#runGroup(acts, triesLeft - 1)
      const refusal = postgresFault(error, isCommitting ? 'unknown' : 'not_applied') ?? error
      for (const act of acts) act.fail(refusal)
    }
  }
}

/** Each act in a savepoint, so that one can fail without its neighbours. */
const runEach = async (
  client: pg.PoolClient,
  transaction: Transaction,
  acts: readonly WaitingAct[],
): Promise<(() => void)[]> => {
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
