// Reads that may take long, in processes of their own: they hold nobody up, and one that takes too long is ended.
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import { countStatement, readValues, rowStatement } from '../read.ts'
import { ReadingProcess, type Asked } from './query-worker.ts'
import type { SqlValue } from '../../engine/sql/dialect.ts'
import { valuesInOrder, type SqlValues, type Statement } from '../statement.ts'
import { overloaded, ReadSlots } from '../read-slots.ts'
import type { Client, Rows, RowForm } from '../store.ts'
import type { TimeLimits } from '../time-limits.ts'

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
  readonly #slots: ReadSlots

  constructor(options: SlowReadsOptions) {
    this.#options = options
    this.#slots = new ReadSlots({ count: processesMax, waitMs: options.limits?.readMs ?? null })
  }

  load(): { readonly processes: number; readonly idle: number; readonly waiting: number } {
    return { processes: this.#all.size, idle: this.#idle.length, waiting: this.#slots.waiting }
  }

  /** As many rows as a page may have at once, and the others as they are taken; all of one snapshot. */
  async rows(plan: ReadPlan, form: RowForm, client?: Client): Promise<Rows> {
    const values = { ...readValues(plan), limit: plan.top ?? -1 }
    const pieces = this.#pieces(plan, rowStatement(plan, form), values, client)
    const begun: SqlValue[][] = []
    for (;;) {
      const { value, done } = await pieces.next()
      if (done === true) return { whole: begun }
      begun.push(...value)
      if (begun.length >= wholeRowsMax) return { batches: followedBy(begun, pieces) }
    }
  }

  async count(plan: ReadPlan, client?: Client): Promise<number> {
    let count = 0
    const pieces = this.#pieces(plan, countStatement(plan), readValues(plan), client)
    for await (const [[found] = []] of pieces) count = Number(found)
    return count
  }

  close(): void {
    for (const process of this.#all) process.end()
  }

  /** Throws `ReadTooCostly`, and `Overloaded` where it gets no slot in time. */
  async *#pieces(
    { companyId }: ReadPlan,
    statement: Statement<unknown>,
    values: SqlValues,
    client: Client | undefined,
  ): AsyncGenerator<SqlValue[][]> {
    const { limits, refusal } = this.#options
    const text = statement.text('sqlite')
    const release = await this.#slots.acquire(companyId, client)
    const process = this.#idleProcess() ?? this.#start()
    let abandoned: NodeJS.Timeout | undefined
    const unsubscribe = client?.onDisconnect(() => {
      abandoned = setTimeout(() => process.abort(overloaded()), disconnectGraceMs).unref()
    })
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
      clearTimeout(abandoned)
      unsubscribe?.()
      this.#rest(process)
      release()
    }
  }

  #idleProcess(): ReadingProcess | undefined {
    const idle = this.#idle.pop()
    if (idle === undefined || idle.isUsable) return idle
    this.#all.delete(idle)
    return undefined
  }

  #start(): ReadingProcess {
    const process = new ReadingProcess(this.#options.path)
    this.#all.add(process)
    return process
  }

  #rest(process: ReadingProcess): void {
    if (!process.isUsable) {
      this.#all.delete(process)
      process.end()
      return
    }
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
/** Killing the process costs the start of another, which takes about as long. */
const disconnectGraceMs = 500
const idleMs = 60_000
