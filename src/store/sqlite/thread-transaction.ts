// Thread transaction: a long write transaction on the database thread.
import { orderValues } from '../order-values.ts'
import type { SqlValues, Statement } from '../statement.ts'
import type { DatabaseThread } from './database-thread.ts'
import { isBusy } from './errors.ts'
import type { ThreadResult } from './thread-program.ts'

export class ThreadTransaction {
  readonly #thread: DatabaseThread
  #hasEnded = false

  constructor(thread: DatabaseThread) {
    this.#thread = thread
  }

  /** False where another process writes. */
  async tryBeginImmediate(): Promise<boolean> {
    try {
      await this.#thread.exec('begin immediate')
      return true
    } catch (error) {
      if (isBusy(error)) return false
      throw error
    }
  }

  exec(sql: string): Promise<void> {
    return this.#thread.exec(sql)
  }

  async commit(): Promise<void> {
    await this.exec('commit')
    this.#hasEnded = true
  }

  /** A statement that comes later fails, and does not become part of the next transaction. */
  async rollBack(): Promise<void> {
    this.#hasEnded = true
    // Where this fails, none is open: some errors end it, and the end of the thread.
    await this.exec('rollback').catch(() => undefined)
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
    if (this.#hasEnded) throw new Error('the transaction has ended')
    const text = statement.compiled('sqlite')
    const request = { sql: text.sql, values: orderValues(text, values), isFirstOnly, needsTransaction: true }
    return this.#thread.request(request)
  }
}
