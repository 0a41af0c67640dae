// Company writer: operations that arrive during a transaction share the next one (group commit).
import type pg from 'pg'
import type { CompanyId } from '../../engine/model/resource.ts'
import {
  OperationFailed,
  runWithSavepoints,
  runBatch,
  type Savepoints,
  type PendingOperation,
} from '../transaction-batch.ts'
import { saveSequences, lockSequences } from '../sequence-rows.ts'
import { runTransaction, createWriter, WriteFailed, type SentWrites, type StoreConnections } from './connection.ts'
import { isConstraintViolation, isDisconnected, isTransient, toPostgresApiError } from './errors.ts'
import { runText } from './query.ts'
import { Sequences } from '../sequences.ts'
import type { Awaitable, Transaction, Writer } from '../store.ts'
import type { SequenceTable } from '../tables/revenue.ts'

/** Totals over all companies. */
export interface CommitTotals {
  commits: number
  operationsCommitted: number
}

export class CompanyWriter {
  readonly #connections: StoreConnections
  readonly #companyId: CompanyId
  readonly #committed: CommitTotals
  #waiting: PendingTransaction[] = []
  #isRunning = false
  /** The sequences of the last commit here; null before it. */
  #committedSequences: SequenceTable | null = null
  /** How many transactions in a row found them unchanged: no other server wrote for the company. */
  #unchangedCount = 0

  constructor(connections: StoreConnections, companyId: CompanyId, committed: CommitTotals) {
    this.#connections = connections
    this.#companyId = companyId
    this.#committed = committed
  }

  get operationsWaiting(): number {
    return this.#waiting.length
  }

  enqueue<T>(work: (transaction: Transaction) => Awaitable<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = async (transaction: Transaction) => {
        const value = await work(transaction)
        return () => resolve(value)
      }
      const fail = (error: unknown) => reject(toPostgresApiError(error, 'not_applied') ?? error)
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
  async #run(operations: readonly PendingTransaction[], hasSavepoints = false, triesLeft = 5): Promise<void> {
    let isCommitting = false
    let committed: SequenceTable | null = null
    try {
      const completions = await runTransaction(
        this.#connections,
        this.#companyId,
        async ({ client, beginning, sent }) => {
          const writer = createWriter(client, this.#companyId, sent)
          const { sequences, verify } = await this.#lockSequences(writer, beginning)
          const transaction: Transaction = { ...writer, companyId: this.#companyId, sequences }
          const running = hasSavepoints
            ? runWithSavepoints(operations, transaction, createSavepoints(client, transaction, sent))
            : runBatch(operations, transaction)
          let completions: (() => void)[]
          try {
            completions = await running
          } finally {
            // Also where an operation failed: it may have, by numbers that another server has assigned.
            await verify()
          }
          if (sequences.isChanged) await saveSequences(writer, sequences)
          isCommitting = true
          committed = sequences.snapshot()
          return completions
        },
      )
      this.#committedSequences = committed
      this.#committed.commits++
      this.#committed.operationsCommitted += operations.length
      for (const complete of completions) complete()
    } catch (error) {
      const isOfOperation = error instanceof OperationFailed || error instanceof WriteFailed
      const cause = isOfOperation ? error.cause : error
      if ((isTransient(cause) || cause instanceof SequencesChanged) && triesLeft > 0)
        return this.#run(operations, hasSavepoints, triesLeft - 1)
      if (isOfOperation && !hasSavepoints && operations.length > 1 && !isDisconnected(cause))
        return this.#run(operations, true, triesLeft)
      // The commit checks references, and does not say whose operation broke one: each gets a commit of its own.
      if (isConstraintViolation(error) && operations.length > 1) {
        for (const operation of operations) await this.#run([operation])
        return
      }
      const outcome = isCommitting && !isOfOperation ? 'unknown' : 'not_applied'
      const failure = toPostgresApiError(cause, outcome) ?? cause
      for (const operation of operations) operation.fail(failure)
    }
  }

  /**
   * Locks the sequences of the company. Where no other server writes for it, the operations begin with those of the last commit,
   * in the message of the lock, and `verify` rejects where they were others after all.
   */
  async #lockSequences(writer: Writer, beginning: Promise<unknown>) {
    const expected = this.#committedSequences
    const locking = Promise.all([lockSequences(writer, this.#companyId), beginning]).then(([locked]) => {
      this.#unchangedCount = expected !== null && locked.isAt(expected) ? this.#unchangedCount + 1 : 0
      return locked
    })
    if (expected === null || this.#unchangedCount < unchangedCountMin)
      return { sequences: await locking, verify: async () => {} }
    locking.catch(() => undefined)
    const verify = async () => {
      await locking
      if (this.#unchangedCount === 0) throw new SequencesChanged('another server has written for the company')
    }
    return { sequences: new Sequences({ ...expected }), verify }
  }
}

/** Servers that write for a company in turn would run every other transaction twice with 1, and hardly any with this. */
const unchangedCountMin = 8

/** The transaction is run again, with the sequences that it has locked. */
class SequencesChanged extends Error {}

function createSavepoints(client: pg.PoolClient, transaction: Transaction, sent: SentWrites): Savepoints {
  const { sequences } = transaction
  let saved = sequences.snapshot()
  return {
    set: async () => {
      saved = sequences.snapshot()
      await runText(client, 'savepoint operation')
    },
    release: async () => {
      await sent.settle()
      await runText(client, 'release savepoint operation')
    },
    rollBack: async () => {
      await runText(client, 'rollback to savepoint operation')
      await sent.forget()
      transaction.clearCached()
      sequences.restore(saved)
    },
  }
}

const operationsMax = 200

type PendingTransaction = PendingOperation<Transaction>
