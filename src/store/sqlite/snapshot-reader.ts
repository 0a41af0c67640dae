// Snapshot reader: short reads on one connection, whose snapshot all reads of an event-loop tick share.
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import { recordsMax, type DatabaseSizes } from '../is-cheap-query.ts'
import { countInChangeLogStatement, countUpToStatement, readParameters, skipScanDaysStatement } from '../read.ts'
import type { SqlValues, Statement } from '../statement.ts'
import { connect, type Connection } from './connection.ts'
import type { DatabaseErrors } from './errors.ts'

export class SnapshotReader {
  readonly sizes: DatabaseSizes = {
    pages: () => this.#connection.pageCount(),
    isFew: (plan) => this.#countUpTo(plan, recordsMax + 1) <= recordsMax,
    isShortChangeLog: (plan) => this.#isShortChangeLog(plan),
    skipScanDays: (plan) => this.first(skipScanDaysStatement(plan), readParameters(plan))?.days ?? 0,
  }
  /** The rows that were visited in this tick, a scan as many as make it long. */
  rowsOfTick = 0
  /** How many reads there were so far. */
  reads = 0
  readonly #connection: Connection
  readonly #errors: DatabaseErrors
  #isReading = false
  /** Of this tick; null: not read yet. */
  #version: number | null = null

  constructor(path: string, errors: DatabaseErrors) {
    this.#connection = connect(path, 'reader')
    this.#errors = errors
  }

  /** One BEGIN for all reads of the tick. */
  read<T>(work: (connection: Connection) => T): T {
    this.reads++
    try {
      if (!this.#isReading) {
        this.#connection.exec('begin')
        this.#isReading = true
        setImmediate(() => this.endTick())
      }
      return work(this.#connection)
    } catch (error) {
      throw this.#errors.map(error, 'not_applied')
    }
  }

  first<Row>(statement: Statement<Row>, values: SqlValues): Row | undefined {
    return this.read((connection) => connection.first(statement, values))
  }

  /** Changes with every commit, for this connection has none; read once in a tick. */
  version(): number {
    return (this.#version ??= this.read((connection) => connection.dataVersion()))
  }

  /** Closes the snapshot; the next read opens another one. */
  endTick(): void {
    if (!this.#isReading) return
    this.#isReading = false
    this.rowsOfTick = 0
    this.#version = null
    this.#errors.runReporting(() => this.#connection.exec('commit'))
  }

  close(): void {
    this.endTick()
    this.#connection.close()
  }

  #countUpTo(plan: ReadPlan, limit: number): number {
    const count = this.first(countUpToStatement(plan), { ...readParameters(plan), limit })?.count ?? 0
    this.rowsOfTick += count
    return count
  }

  #isShortChangeLog(plan: ReadPlan): boolean {
    if (plan.filter !== null && this.#countUpTo(plan, recordsMax + 1) <= recordsMax) return true
    if (plan.top === null) return false
    const limit = plan.skip + plan.top
    const values = { ...readParameters(plan), entries: recordsMax, limit }
    return this.first(countInChangeLogStatement(plan), values)?.count === limit
  }
}
