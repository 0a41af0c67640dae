// Thread transaction: a long write transaction on the database thread.
import type { SqlValue } from '../../engine/sql/dialect.ts'
import { orderValues } from '../order-values.ts'
import type { SqlValues, Statement } from '../statement.ts'
import type { StatementResult } from './connection.ts'
import type { DatabaseThread } from './database-thread.ts'
import { isBusy } from './errors.ts'

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
    const { columns, rows } = await this.#send(statement, values)
    return rows.map((row) => toObject(columns, row) as Row)
  }

  async first<Row>(statement: Statement<Row>, values: SqlValues): Promise<Row | undefined> {
    const { columns, rows } = await this.#send(statement, values, true)
    return rows[0] === undefined ? undefined : (toObject(columns, rows[0]) as Row)
  }

  async run(statement: Statement<never>, values: SqlValues): Promise<void> {
    await this.#send(statement, values)
  }

  /** The number of rows that the statement changed. */
  async change(statement: Statement<never>, values: SqlValues): Promise<number> {
    return (await this.#send(statement, values)).changes
  }

  /** An async function: what it throws is an error of this statement only. */
  async #send(statement: Statement<unknown>, values: SqlValues, isFirstOnly = false): Promise<StatementResult> {
    if (this.#hasEnded) throw new Error('the transaction has ended')
    const text = statement.compiled('sqlite')
    const request = { sql: text.sql, values: orderValues(text, values), isFirstOnly, needsTransaction: true }
    return this.#thread.request(request)
  }
}

function toObject(columns: readonly string[], row: readonly SqlValue[]): Record<string, SqlValue> {
  const object: Record<string, SqlValue> = {}
  for (const [index, name] of columns.entries()) object[name] = row[index] ?? null
  return object
}
