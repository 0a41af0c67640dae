// Query workers: processes for reads that may take long; a read over its time limit is killed.
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
  /** Null: without limits. */
  readonly limits: TimeLimits | null
  /** Maps an error of SQLite to an API error. */
  readonly refusal: (error: unknown) => unknown
}

export class SlowReads {
  readonly #options: SlowReadsOptions
  readonly #idle: ReadingProcess[] = []
  readonly #workers = new Set<ReadingProcess>()
  readonly #slots: ReadSlots

  constructor(options: SlowReadsOptions) {
    this.#options = options
    this.#slots = new ReadSlots({ count: processesMax, waitMs: options.limits?.readMs ?? null })
  }

  load(): { readonly processes: number; readonly idle: number; readonly waiting: number } {
    return { processes: this.#workers.size, idle: this.#idle.length, waiting: this.#slots.waiting }
  }

  /** The rows of the first page at once and the others as chunks, in one snapshot. */
  async rows(plan: ReadPlan, form: RowForm, client?: Client): Promise<Rows> {
    const values = { ...readValues(plan), limit: plan.top ?? -1 }
    const chunks = this.#chunks(plan, rowStatement(plan, form), values, client)
    const first: SqlValue[][] = []
    for (;;) {
      const { value, done } = await chunks.next()
      if (done === true) return { whole: first }
      first.push(...value)
      if (first.length >= wholeRowsMax) return { batches: concatChunks(first, chunks) }
    }
  }

  async count(plan: ReadPlan, client?: Client): Promise<number> {
    let count = 0
    const chunks = this.#chunks(plan, countStatement(plan), readValues(plan), client)
    for await (const [[found] = []] of chunks) count = Number(found)
    return count
  }

  close(): void {
    for (const process of this.#workers) process.end()
  }

  /** Throws `ReadTooCostly`, and `Overloaded` where no slot is released in time. */
  async *#chunks(
    { companyId }: ReadPlan,
    statement: Statement<unknown>,
    values: SqlValues,
    client: Client | undefined,
  ): AsyncGenerator<SqlValue[][]> {
    const { limits, refusal } = this.#options
    const text = statement.text('sqlite')
    const release = await this.#slots.acquire(companyId, client)
    const process = this.#takeIdle() ?? this.#start()
    let abandoned: NodeJS.Timeout | undefined
    const unsubscribe = client?.onDisconnect(() => {
      abandoned = setTimeout(() => process.abort(overloaded()), disconnectGraceMs).unref()
    })
    try {
      let request: Asked = { sql: text.sql, values: valuesInOrder(text, values) }
      for (;;) {
        const { rows, isLast } = await process.ask(request, limits)
        if (rows.length > 0) yield rows
        if (isLast) return
        request = 'more'
      }
    } catch (error) {
      throw refusal(error)
    } finally {
      clearTimeout(abandoned)
      unsubscribe?.()
      this.#release(process)
      release()
    }
  }

  #takeIdle(): ReadingProcess | undefined {
    const idle = this.#idle.pop()
    if (idle === undefined || idle.isUsable) return idle
    this.#workers.delete(idle)
    return undefined
  }

  #start(): ReadingProcess {
    const process = new ReadingProcess(this.#options.path)
    this.#workers.add(process)
    return process
  }

  #release(process: ReadingProcess): void {
    if (!process.isUsable) {
      this.#workers.delete(process)
      process.end()
      return
    }
    this.#idle.push(process)
    process.endAfter(idleMs, () => {
      this.#idle.splice(this.#idle.indexOf(process), 1)
      this.#workers.delete(process)
    })
  }
}

async function* concatChunks(
  first: SqlValue[][],
  others: AsyncGenerator<SqlValue[][]>,
): AsyncGenerator<SqlValue[][]> {
  try {
    yield first
    yield* others
  } finally {
    await others.return(undefined)
  }
}

/** A longer result becomes a stream. */
const wholeRowsMax = 1000
/** Each takes some 110 MB while it reads (measured). */
const processesMax = 4
/** Killing the process costs the start of another, which takes about as long. */
const disconnectGraceMs = 500
const idleMs = 60_000
