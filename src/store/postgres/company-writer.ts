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
import type { Awaitable, Transaction } from '../store.ts'

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
    try {
      const completions = await runTransaction(
        this.#connections,
        this.#companyId,
        async ({ client, beginning, sent }) => {
          const writer = createWriter(client, this.#companyId, sent)
          const [sequences] = await Promise.all([lockSequences(writer, this.#companyId), beginning])
          const transaction: Transaction = { ...writer, companyId: this.#companyId, sequences }
          const completions = hasSavepoints
            ? await runWithSavepoints(operations, transaction, createSavepoints(client, transaction, sent))
            : await runBatch(operations, transaction)
          if (sequences.isChanged) await saveSequences(writer, sequences)
          isCommitting = true
          return completions
        },
      )
      this.#committed.commits++
      this.#committed.operationsCommitted += operations.length
      for (const complete of completions) complete()
    } catch (error) {
      const isOfOperation = error instanceof OperationFailed || error instanceof WriteFailed
      const cause = isOfOperation ? error.cause : error
      if (isTransient(cause) && triesLeft > 0) return this.#run(operations, hasSavepoints, triesLeft - 1)
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
}

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
