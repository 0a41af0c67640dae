// A store whose acts are done when the export journal has what they wrote to the ledger.
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
  readonly #keeper: JournalKeeper

  constructor(store: Store, keeper: JournalKeeper) {
    this.dialect = store.dialect
    this.isSuspect = store.isSuspect
    this.#store = store
    this.#keeper = keeper
  }

  async inTransaction<T>(
    companyId: CompanyId,
    act: (transaction: Transaction) => Awaitable<T>,
  ): Promise<T> {
    let isNoted = false
    const result = await this.#store.inTransaction(companyId, (transaction) => {
      const before = numbersIn(transaction.counters)
      const noted = (done: T): T => {
        isNoted = numbersIn(transaction.counters) !== before
        return done
      }
      const done = act(transaction)
      return done instanceof Promise ? done.then(noted) : noted(done)
    })
    if (isNoted) await this.#keeper.keep(companyId)
    return result
  }

  all<Row>(statement: Statement<Row>, values: SqlValues): Awaitable<Row[]> {
    return this.#store.all(statement, values)
  }

  first<Row>(statement: Statement<Row>, values: SqlValues): Awaitable<Row | undefined> {
    return this.#store.first(statement, values)
  }

  inHouseTransaction<T>(act: (writer: Writer) => Awaitable<T>): Promise<T> {
    return this.#store.inHouseTransaction(act)
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

/** Changes when an entry or an id of a line is given out. */
function numbersIn(counters: Counters): number {
  const { ledgerId, materialId } = counters.save()
  return ledgerId + materialId
}
