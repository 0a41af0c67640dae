// Journaled store: a transaction is done when the export journal has its ledger entries.
import type { CompanyId } from '../../engine/model/resource.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import type { Sequences } from '../sequences.ts'
import type { JournalWriter } from './journal-writer.ts'
import type { SqlValues, Statement } from '../statement.ts'
import type { Awaitable, RequestClient, Store, Transaction, TransactionOptions, Writer, RowFormat } from '../store.ts'

export class JournaledStore implements Store {
  readonly dialect
  readonly hadUncleanShutdown
  readonly #store: Store
  readonly #journalWriter: JournalWriter

  constructor(store: Store, journalWriter: JournalWriter) {
    this.dialect = store.dialect
    this.hadUncleanShutdown = store.hadUncleanShutdown
    this.#store = store
    this.#journalWriter = journalWriter
  }

  async inTransaction<T>(
    companyId: CompanyId,
    work: (transaction: Transaction) => Awaitable<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    let hasNewIds = false
    const compared = (transaction: Transaction) => {
      const before = sumIds(transaction.sequences)
      const compare = (value: T): T => {
        hasNewIds = sumIds(transaction.sequences) !== before
        return value
      }
      const value = work(transaction)
      return value instanceof Promise ? value.then(compare) : compare(value)
    }
    const result = await this.#store.inTransaction(companyId, compared, options)
    if (hasNewIds) await this.#journalWriter.flush(companyId)
    return result
  }

  all<Row>(statement: Statement<Row>, values: SqlValues): Awaitable<Row[]> {
    return this.#store.all(statement, values)
  }

  first<Row>(statement: Statement<Row>, values: SqlValues): Awaitable<Row | undefined> {
    return this.#store.first(statement, values)
  }

  inSystemTransaction<T>(work: (writer: Writer) => Awaitable<T>): Promise<T> {
    return this.#store.inSystemTransaction(work)
  }

  readRows(plan: ReadPlan, format: RowFormat, client?: RequestClient) {
    return this.#store.readRows(plan, format, client)
  }

  readJson(plan: ReadPlan, client?: RequestClient) {
    return this.#store.readJson(plan, client)
  }

  count(plan: ReadPlan, client?: RequestClient) {
    return this.#store.count(plan, client)
  }

  reports(companyId: CompanyId, client?: RequestClient) {
    return this.#store.reports(companyId, client)
  }

  get health() {
    return this.#store.health
  }

  ping() {
    return this.#store.ping()
  }

  checkIntegrity() {
    return this.#store.checkIntegrity()
  }

  load() {
    return this.#store.load()
  }

  close() {
    return this.#store.close()
  }
}

/** Changes when a ledger id or a line id is assigned. */
function sumIds(sequences: Sequences): number {
  const { ledgerId, materialId } = sequences.snapshot()
  return ledgerId + materialId
}
