// Write batch: the operations of one commit share a transaction and the sequences of companies.
import type { CompanyId } from '../../engine/model/resource.ts'
import { assertOneRow } from '../assert-one-row.ts'
import type { Savepoints } from '../transaction-batch.ts'
import { saveSequences, lockSequences } from '../sequence-rows.ts'
import type { Sequences } from '../sequences.ts'
import type { Connection } from './connection.ts'
import { ThreadTransaction } from './thread-transaction.ts'
import type { Awaitable, Transaction, Writer } from '../store.ts'
import type { WriterCache } from './writer-cache.ts'

export class WriteBatch {
  readonly writer: Writer
  readonly #cache: WriterCache
  readonly #transactions = new Map<CompanyId, Transaction>()

  constructor(connection: Connection | ThreadTransaction, cache: WriterCache) {
    this.#cache = cache
    this.writer = {
      dialect: 'sqlite',
      hasOwnThread: connection instanceof ThreadTransaction,
      all: (statement, values) => connection.all(statement, values),
      first: (statement, values) => connection.first(statement, values),
      hasRow: (statement, values) =>
        cache.rows.hasRow(statement, values, () => {
          const row = connection.first(statement, values)
          return row instanceof Promise ? row.then((found) => found !== undefined) : row !== undefined
        }),
      clearCached: () => cache.clear(),
      run: (statement, values) => connection.run(statement, values),
      updateRow: (statement, values) => {
        const count = connection.change(statement, values)
        return count instanceof Promise ? count.then(assertOneRow) : assertOneRow(count)
      },
    }
  }

  /** Of its connection; a transaction on a thread of its own has one operation. */
  savepointsOn(connection: Connection): Savepoints {
    let restoreSequences = () => {}
    return {
      set: () => {
        restoreSequences = this.#saveSequences()
        connection.exec('savepoint operation')
      },
      release: () => connection.exec('release operation'),
      rollBack: () => {
        connection.exec('rollback to operation')
        connection.exec('release operation')
        this.#cache.clear()
        restoreSequences()
      },
    }
  }

  /** The transaction of a company, which all its operations share. */
  getTransaction(companyId: CompanyId): Awaitable<Transaction> {
    const known = this.#transactions.get(companyId)
    if (known !== undefined) return known
    const add = (sequences: Sequences) => {
      const transaction = { ...this.writer, companyId, sequences }
      this.#transactions.set(companyId, transaction)
      return transaction
    }
    const cached = this.#cache.getSequences(companyId)
    return cached === undefined ? lockSequences(this.writer, companyId).then(add) : add(cached)
  }

  async saveSequences(): Promise<void> {
    for (const { sequences } of this.#transactions.values())
      if (sequences.isChanged) await saveSequences(this.writer, sequences)
  }

  /** The latest timestamp of its companies, in microseconds; 0 for a batch without any. */
  get lastTimestamp(): number {
    let last = 0
    for (const { sequences } of this.#transactions.values()) last = Math.max(last, sequences.lastTimestamp)
    return last
  }

  /** After the commit. */
  cacheSequences(): void {
    for (const [companyId, { sequences }] of this.#transactions) this.#cache.setSequences(companyId, sequences)
  }

  /** Sequences that are locked after the savepoint are read again after a rollback, so only the present ones are saved. */
  #saveSequences(): () => void {
    const saved = [...this.#transactions.values()].map(({ sequences }) => [sequences, sequences.snapshot()] as const)
    const known = new Set(this.#transactions.keys())
    return () => {
      for (const [sequences, row] of saved) sequences.restore(row)
      for (const id of this.#transactions.keys()) if (!known.has(id)) this.#transactions.delete(id)
    }
  }
}
