// Reads that may take long, in processes of their own: they hold nobody up, and one that takes too long is ended.
import { Fault } from '#faults.ts'
import type { ReadPlan } from '#plan/read-plan.ts'
import { countStatement, readValues, rowStatement, type RowForm } from '#store/read.ts'
import { ReadingProcess, type Asked } from '#store/sqlite/reading-process.ts'
import { valuesInOrder, type SqlValue, type SqlValues, type Statement } from '#store/statement.ts'
import type { Rows } from '#store/store.ts'
import type { TimeLimits } from '#store/time-limits.ts'

export interface SlowReadsOptions {
  readonly path: string
  /** Null: each may take the time it needs. */
  readonly limits: TimeLimits | null
  /** What an error of the engine means to a caller. */
  readonly refusal: (error: unknown) => unknown
}

export class SlowReads {
  readonly #options: SlowReadsOptions
  readonly #idle: ReadingProcess[] = []
  readonly #all = new Set<ReadingProcess>()
  readonly #waiting: ((process: ReadingProcess) => void)[] = []

  constructor(options: SlowReadsOptions) {
    this.#options = options
  }

  /** As many rows as a page may have at once, and the others as they are taken; all of one snapshot. */
  async rows(plan: ReadPlan, form: RowForm): Promise<Rows> {
    const values = { ...readValues(plan), limit: plan.top ?? -1 }
    const pieces = this.#pieces(rowStatement(plan, form), values)
    const begun: SqlValue[][] = []
    for (;;) {
      const { value, done } = await pieces.next()
      if (done === true) return { whole: begun }
      begun.push(...value)
      if (begun.length >= wholeRowsMax) return { batches: followedBy(begun, pieces) }
    }
  }

  async count(plan: ReadPlan): Promise<number> {
    let count = 0
    for await (const [[found] = []] of this.#pieces(countStatement(plan), readValues(plan)))
      count = Number(found)
    return count
  }

  close(): void {
    for (const process of this.#all) process.end()
  }

  /** Throws `ReadTooCostly`, and `Overloaded` where too many wait. */
  async *#pieces(statement: Statement<unknown>, values: SqlValues): AsyncGenerator<SqlValue[][]> {
    const { limits, refusal } = this.#options
    const text = statement.text('sqlite')
    const process = await this.#take()
    try {
      let asked: Asked = { sql: text.sql, values: valuesInOrder(text, values) }
      for (;;) {
        const { rows, isLast } = await process.ask(asked, limits)
        if (rows.length > 0) yield rows
        if (isLast) return
        asked = 'more'
      }
    } catch (error) {
      throw refusal(error)
    } finally {
      this.#giveBack(process)
    }
  }

  async #take(): Promise<ReadingProcess> {
    const idle = this.#idle.pop()
    if (idle?.isUsable === true) return idle
    if (idle !== undefined) this.#all.delete(idle)
    if (this.#all.size < processesMax) return this.#start()
    if (this.#waiting.length >= waitingMax)
      throw new Fault('Overloaded', { headers: { 'Retry-After': '5' } })
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #start(): ReadingProcess {
    const process = new ReadingProcess(this.#options.path)
    this.#all.add(process)
    return process
  }

  #giveBack(process: ReadingProcess): void {
    const next = this.#waiting.shift()
    if (process.isUsable) {
      if (next === undefined) this.#rest(process)
      else next(process)
      return
    }
    this.#all.delete(process)
    process.end()
    next?.(this.#start())
  }

  #rest(process: ReadingProcess): void {
    this.#idle.push(process)
    process.endAfter(idleMs, () => {
      this.#idle.splice(this.#idle.indexOf(process), 1)
      this.#all.delete(process)
    })
  }
}

async function* followedBy(
  begun: SqlValue[][],
  others: AsyncGenerator<SqlValue[][]>,
): AsyncGenerator<SqlValue[][]> {
  try {
    yield begun
    yield* others
  } finally {
    await others.return(undefined)
  }
}

/** What is longer becomes a stream. */
const wholeRowsMax = 1000
/** Each takes some 110 MB while it reads (measured). */
const processesMax = 4
const waitingMax = 32
const idleMs = 60_000
