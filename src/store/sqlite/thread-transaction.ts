// Thread transaction: a long write transaction on the database thread.
import { orderValues } from '../order-values.ts'
import type { SqlValues, Statement } from '../statement.ts'
import type { DatabaseThread } from './database-thread.ts'
import { isBusy } from './errors.ts'
import type { ThreadResult } from './thread-program.ts'

export class ThreadTransaction {
  readonly #thread: DatabaseThread
  #wasOpen = false
  /** Until its commit or rollback. */
  #isOpen = false

  constructor(thread: DatabaseThread) {
    this.#thread = thread
  }

  /** False where another process writes. */
  async tryBeginImmediate(): Promise<boolean> {
    try {
      await this.#thread.exec('begin immediate')
      this.#wasOpen = true
      this.#isOpen = true
      return true
    } catch (error) {
      if (isBusy(error)) return false
      throw error
    }
  }

  /** A statement that comes later fails, and does not become part of the next transaction. */
  async commit(): Promise<void> {
    this.#isOpen = false
    await this.#thread.exec('commit')
  }

  /** The same; nothing where none began, so that no thread is started for it. */
  async rollBack(): Promise<void> {
    this.#isOpen = false
    // Where this fails, none is open: some errors end it, and the end of the thread.
    if (this.#wasOpen) await this.#thread.exec('rollback').catch(() => undefined)
  }

  async all<Row>(statement: Statement<Row>, values: SqlValues): Promise<Row[]> {
    const { rows } = await this.#send(statement, values)
    return JSON.parse(rows) as Row[]
  }

  async first<Row>(statement: Statement<Row>, values: SqlValues): Promise<Row | undefined> {
    const { rows } = await this.#send(statement, values, true)
    return (JSON.parse(rows) as Row[])[0]
  }

  async run(statement: Statement<never>, values: SqlValues): Promise<void> {
    await this.#send(statement, values)
  }

  /** The number of rows that the statement changed. */
  async change(statement: Statement<never>, values: SqlValues): Promise<number> {
    return (await this.#send(statement, values)).changes
  }

  /** An async function: what it throws is an error of this statement only. */
  async #send(statement: Statement<unknown>, values: SqlValues, isFirstOnly = false): Promise<ThreadResult> {
    if (!this.#isOpen) throw new Error('the transaction has ended')
    const text = statement.compiled('sqlite')
    const request = { sql: text.sql, values: orderValues(text, values), isFirstOnly, needsTransaction: true }
    return this.#thread.request(request)
  }
}
