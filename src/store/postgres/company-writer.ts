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
import { StartedTooEarly, PipelinedBatch } from './pipelined-batch.ts'
import { runTransaction, createWriter, WriteFailed, type SentWrites, type StoreConnections } from './connection.ts'
import { isConstraintViolation, isDisconnected, isRollback, isTransient, toPostgresApiError } from './errors.ts'
import { runText } from './query.ts'
import { isRestricted } from './row-security.ts'
import { waitForTurns } from '../../lib/yield-to-event-loop.ts'
import { Sequences } from '../sequences.ts'
import type { Awaitable, Transaction } from '../store.ts'
import type { SequenceTable } from '../tables/revenue.ts'

/** Totals over all companies. */
export interface WriterTotals {
  commits: number
  operationsCommitted: number
  operationsReceived: number
}

export class CompanyWriter {
  readonly #connections: StoreConnections
  readonly #companyId: CompanyId
  readonly #totals: WriterTotals
  #waiting: PendingTransaction[] = []
  #isRunning = false
  /** As this server has left them; null before its first commit. */
  #lastSequences: SequenceTable | null = null
  /** How many transactions in a row locked the sequences as this server had left them: no other one wrote for the company. */
  #unchangedCount = 0
  /** How many of the next batches run their operations one by one. */
  #unpipelinedCount = 0

  constructor(connections: StoreConnections, companyId: CompanyId, totals: WriterTotals) {
    this.#connections = connections
    this.#companyId = companyId
    this.#totals = totals
  }

  get operationsWaiting(): number {
    return this.#waiting.length
  }

  /**
   * `startsEarly`: its statements may be sent before `begin` and the lock are answered, and before the end of an operation in front
   * of it that lets the next one start.
   */
  enqueue<T>(work: (transaction: Transaction) => Awaitable<T>, startsEarly: boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = async (transaction: Transaction) => {
        const value = await work(transaction)
        return () => resolve(value)
      }
      const fail = (error: unknown) => reject(toPostgresApiError(error, 'not_applied') ?? error)
      this.#waiting.push({ run, fail, startsEarly })
      this.#totals.operationsReceived += 1
      if (!this.#isRunning) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) {
      await this.#gather()
      await this.#run(this.#waiting.splice(0, operationsMax))
    }
    this.#isRunning = false
  }

  /**
   * Waits for the operations of requests that arrive together, until some turns of the event loop bring none of any company: a
   * transaction costs more than an upsert.
   */
  async #gather(): Promise<void> {
    if (this.#waiting.length >= operationsMax) return
    let received = this.#totals.operationsReceived
    let quietTurns = 0
    await waitForTurns(gatherTurnsMax, gatherMs, () => {
      quietTurns = this.#totals.operationsReceived === received ? quietTurns + 1 : 0
      received = this.#totals.operationsReceived
      return quietTurns === quietTurnsMax || this.#waiting.length >= operationsMax
    })
  }

  /** Only after an error of the commit itself, and not after each, is it unknown whether the operations were stored. */
  async #run(operations: readonly PendingTransaction[], hasSavepoints = false, triesLeft = 5): Promise<void> {
    let isCommitting = false
    let committed: SequenceTable | null = null
    try {
      const completions = await runTransaction(
        this.#connections,
        this.#companyId,
        async ({ client, beginning, sent }) => {
          // Without `sent`: the error of the lock is the first one, whatever follows it in the message.
          const locking = Promise.all([
            lockSequences(createWriter(client, this.#companyId), this.#companyId),
            beginning,
          ])
          const startsEarly = isRestricted(client) && operations.every((operation) => operation.startsEarly)
          const { sequences, verify } = await this.#toSequences(locking, startsEarly)
          const writer = createWriter(client, this.#companyId, sent)
          const transaction: Transaction = { ...writer, companyId: this.#companyId, sequences }
          const running = hasSavepoints
            ? runWithSavepoints(operations, transaction, createSavepoints(client, transaction, sent))
            : this.#runBatch(operations, transaction)
          let completions: (() => void)[]
          try {
            completions = await running
          } finally {
            // Also where an operation failed: it may have, by numbers that another server has assigned.
            await verify?.()
          }
          if (sequences.isChanged) await saveSequences(writer, sequences)
          isCommitting = true
          committed = sequences.snapshot()
          return completions
        },
      )
      this.#lastSequences = committed
      this.#totals.commits++
      this.#totals.operationsCommitted += operations.length
      for (const complete of completions) complete()
    } catch (error) {
      if (error instanceof StartedTooEarly) {
        this.#unpipelinedCount = unpipelinedCountMax
        return this.#run(operations, false, triesLeft)
      }
      const isOfOperation = error instanceof OperationFailed || error instanceof WriteFailed
      const cause = isOfOperation ? error.cause : error
      if (cause instanceof SequencesChanged) return this.#run(operations, hasSavepoints, triesLeft)
      if (isTransient(cause) && triesLeft > 0) return this.#run(operations, hasSavepoints, triesLeft - 1)
      if (isOfOperation && !hasSavepoints && operations.length > 1 && !isDisconnected(cause))
        return this.#run(operations, true, triesLeft)
      // The commit checks references, and does not say whose operation broke one: each gets a commit of its own.
      if (isConstraintViolation(error) && operations.length > 1) {
        for (const operation of operations) await this.#run([operation])
        return
      }
      const outcome = isCommitting && !isOfOperation && !isRollback(error) ? 'unknown' : 'not_applied'
      const failure = toPostgresApiError(cause, outcome) ?? cause
      for (const operation of operations) operation.fail(failure)
    }
  }

  /** Operations that may start early are pipelined. After one that found no record, a few batches are not: new records come together. */
  #runBatch(operations: readonly PendingTransaction[], transaction: Transaction): Promise<(() => void)[]> {
    if (operations.length === 1 || !operations.every(({ startsEarly }) => startsEarly))
      return runBatch(operations, transaction)
    if (this.#unpipelinedCount > 0) {
      this.#unpipelinedCount -= 1
      return runBatch(operations, transaction)
    }
    const batch = new PipelinedBatch()
    return batch.run(operations, { ...transaction, letNextStart: batch.letNextStart })
  }

  /**
   * The sequences for the operations. Where the operations may start early and no other server writes for the company, these are the
   * last ones of this server, so that the operations begin in the message of the lock. `verify` rejects where it finds others.
   */
  async #toSequences(locking: Promise<readonly [Sequences, unknown]>, startsEarly: boolean) {
    const last = this.#lastSequences
    const isExpected = startsEarly && this.#unchangedCount >= unchangedCountMin
    const verify = async () => {
      const [locked] = await locking
      const isUnchanged = last !== null && locked.isAt(last)
      this.#unchangedCount = isUnchanged ? this.#unchangedCount + 1 : 0
      if (isExpected && !isUnchanged) throw new SequencesChanged('the sequences are not those of the last commit')
      return locked
    }
    if (last === null || !isExpected) return { sequences: await verify(), verify: undefined }
    locking.catch(() => undefined)
    return { sequences: new Sequences({ ...last }), verify }
  }
}

/** Of two servers that write for a company at random, each runs one transaction in 500 twice; with 1, one in four. */
const unchangedCountMin = 8

/** While every write adds a record, one transaction in 16 runs twice. */
const unpipelinedCountMax = 16

/** The transaction is run again, with the sequences that it locks. */
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
/** With more, the requests of 32 clients for ten companies share no more transactions. */
const gatherTurnsMax = 6
const quietTurnsMax = 3
const gatherMs = 20

interface PendingTransaction extends PendingOperation<Transaction> {
  readonly startsEarly: boolean
}
