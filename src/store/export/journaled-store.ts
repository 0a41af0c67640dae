// Journaled store: a transaction is done when the export journal has its ledger entries.
import type { CompanyId } from '../../engine/model/resource.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import type { Counters } from '../sequences.ts'
import type { JournalKeeper } from './journal-writer.ts'
import type { SqlValues, Statement } from '../statement.ts'
import type { Awaitable, Client, Store, Transaction, Writer, RowForm } from '../store.ts'

export class JournaledStore implements Store {
  readonly dialect
  readonly isSuspect
  readonly #store: Store
  readonly #journalWriter: JournalKeeper

  constructor(store: Store, journalWriter: JournalKeeper) {
    this.dialect = store.dialect
    this.isSuspect = store.isSuspect
    this.#store = store
    this.#journalWriter = journalWriter
  }

  async inTransaction<T>(
    companyId: CompanyId,
    work: (transaction: Transaction) => Awaitable<T>,
  ): Promise<T> {
    let hasLedgerEntries = false
    const result = await this.#store.inTransaction(companyId, (transaction) => {
      const before = sumIds(transaction.counters)
      const compare = (value: T): T => {
        hasLedgerEntries = sumIds(transaction.counters) !== before
        return value
      }
      const value = work(transaction)
      return value instanceof Promise ? value.then(compare) : compare(value)
    })
    if (hasLedgerEntries) await this.#journalWriter.keep(companyId)
    return result
  }

  all<Row>(statement: Statement<Row>, values: SqlValues): Awaitable<Row[]> {
    return this.#store.all(statement, values)
  }

  first<Row>(statement: Statement<Row>, values: SqlValues): Awaitable<Row | undefined> {
    return this.#store.first(statement, values)
  }

  inHouseTransaction<T>(work: (writer: Writer) => Awaitable<T>): Promise<T> {
    return this.#store.inHouseTransaction(work)
  }

  readRows(plan: ReadPlan, form: RowForm, client?: Client) {
    return this.#store.readRows(plan, form, client)
  }

  readJson(plan: ReadPlan, client?: Client) {
    return this.#store.readJson(plan, client)
  }

  count(plan: ReadPlan, client?: Client) {
    return this.#store.count(plan, client)
  }

  ping() {
    return this.#store.ping()
  }

  examine() {
    return this.#store.examine()
  }

  load() {
    return this.#store.load()
  }

  close() {
    return this.#store.close()
  }
}

/** Changes when a ledger id or a line id is assigned. */
function sumIds(sequences: Counters): number {
  const { ledgerId, materialId } = sequences.save()
  return ledgerId + materialId
}
