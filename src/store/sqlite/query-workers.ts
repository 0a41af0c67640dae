// Query workers: processes for reads that may take long; a read over its time limit is killed.
import type { CompanyId } from '../../engine/model/resource.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import { countStatement, readParameters, rowStatement } from '../read.ts'
import type { OpenSnapshots } from './open-snapshots.ts'
import type { WorkerRequest } from './query-process.ts'
import { QueryWorker } from './query-worker.ts'
import type { SqlValue } from '../../engine/sql/dialect.ts'
import { createMutex } from '../../lib/mutex.ts'
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts'
import { orderValues } from '../order-values.ts'
import type { SqlValues, Statement } from '../statement.ts'
import type { ActiveCompanies } from '../active-companies.ts'
import { costlyReadsMax, createCostlySlots, overloadedError, CompanySlots } from '../company-slots.ts'
import type { RequestClient, QueryResult, RowFormat } from '../store.ts'
import type { TimeLimits } from '../time-limits.ts'

export interface QueryWorkersOptions {
  readonly path: string
  /** Null: without limits. */
  readonly limits: TimeLimits | null
  readonly snapshots: OpenSnapshots
  readonly companies: ActiveCompanies
  /** Maps an error of SQLite to an API error. */
  readonly toError: (error: unknown) => unknown
}

export class QueryWorkers {
  readonly #options: QueryWorkersOptions
  readonly #idle: QueryWorker[] = []
  readonly #workers = new Set<QueryWorker>()
  /** Each for a process, until the last chunk. */
  readonly #slots: CompanySlots
  /** Each while a process reads a chunk, and not while the chunk waits for its reader. */
  readonly #chunkSlots: CompanySlots
  readonly #oneStart = createMutex()

  constructor(options: QueryWorkersOptions) {
    this.#options = options
    const waitMs = options.limits?.readMs ?? null
    this.#slots = new CompanySlots({ count: costlyReadsMax, waitMs, limitName: 'costlyReadsMax' })
    // Without a limit, or a reply that is half sent would end because of others of its company, which have limits.
    this.#chunkSlots = createCostlySlots(options.companies, null)
  }

  load(): { readonly processes: number; readonly idle: number; readonly waiting: number } {
    return {
      processes: this.#workers.size,
      idle: this.#idle.length,
      waiting: this.#slots.waiting + this.#chunkSlots.waiting,
    }
  }

  /** The rows of the first page at once and the others as chunks, in one snapshot. */
  async rows(plan: ReadPlan, format: RowFormat, client?: RequestClient): Promise<QueryResult> {
    const values = { ...readParameters(plan), limit: plan.top ?? -1 }
    const chunks = this.chunks(plan.companyId, rowStatement(plan, format), values, client)
    const first: SqlValue[][] = []
    for (;;) {
      const { value, done } = await chunks.next()
      if (done === true) return { whole: first }
      first.push(...value)
      if (first.length >= wholeRowsMax) return { chunks: concatChunks(first, chunks) }
    }
  }

  async count(plan: ReadPlan, client?: RequestClient): Promise<number> {
    let count = 0
    const { companyId } = plan
    const chunks = this.chunks(companyId, countStatement(plan), readParameters(plan), client)
    for await (const [[found] = []] of chunks) count = Number(found)
    return count
  }

  close(): void {
    for (const process of this.#workers) process.terminate()
  }

  /** The rows of a statement. Throws `QueryTooExpensive`, and `Overloaded` where no slot is released in time. */
  async *chunks(
    companyId: CompanyId,
    statement: Statement<unknown>,
    values: SqlValues,
    client: RequestClient | undefined,
  ): AsyncGenerator<SqlValue[][]> {
    const text = statement.compiled('sqlite')
    const release = await this.#slots.acquire(companyId, client)
    try {
      await this.#options.snapshots.prepare()
      const request = { sql: text.sql, values: orderValues(text, values) }
      yield* this.#chunksOfProcess(companyId, request, client)
    } finally {
      release()
    }
  }

  async *#chunksOfProcess(
    companyId: CompanyId,
    first: WorkerRequest,
    client: RequestClient | undefined,
  ): AsyncGenerator<SqlValue[][]> {
    const { limits, snapshots, toError } = this.#options
    // Before a process is started, because a client may disconnect until its turn.
    let releaseChunk = await this.#chunkSlots.acquire(companyId, client)
    const process = await this.#takeProcess().catch((error: unknown) => {
      releaseChunk()
      throw error
    })
    const closeSnapshot = snapshots.add(() => process.abort(overloadedError()))
    let abandoned: NodeJS.Timeout | undefined
    const unsubscribe = client?.onDisconnect(() => {
      abandoned = setTimeout(() => process.abort(overloadedError()), disconnectGraceMs).unref()
    })
    try {
      let request = first
      for (;;) {
        const { rows, isLast } = await process.send(request, limits).finally(releaseChunk)
        if (rows.length > 0) yield rows
        if (isLast) return
        request = 'more'
        releaseChunk = await this.#chunkSlots.acquire(companyId, client)
      }
    } catch (error) {
      throw toError(error)
    } finally {
      clearTimeout(abandoned)
      unsubscribe?.()
      this.#release(process)
      closeSnapshot()
    }
  }

  async #takeProcess(): Promise<QueryWorker> {
    return this.#takeIdle() ?? (await this.#startInTurn())
  }

  #takeIdle(): QueryWorker | undefined {
    const idle = this.#idle.pop()
    idle?.keep()
    if (idle === undefined || idle.isUsable) return idle
    this.#workers.delete(idle)
    return undefined
  }

  /** To start a process blocks this thread for 3 to 20 ms (ADR 0015), so there is at most one start in a turn of the event loop. */
  #startInTurn(): Promise<QueryWorker> {
    return this.#oneStart(async () => {
      await yieldToEventLoop()
      return this.#takeIdle() ?? this.#start()
    })
  }

  #start(): QueryWorker {
    const process = new QueryWorker(this.#options.path)
    this.#workers.add(process)
    return process
  }

  #release(process: QueryWorker): void {
    if (!process.isUsable) {
      this.#workers.delete(process)
      process.terminate()
      return
    }
    this.#idle.push(process)
    process.terminateAfter(idleMs, () => {
      this.#idle.splice(this.#idle.indexOf(process), 1)
      this.#workers.delete(process)
    })
  }
}

async function* concatChunks(first: SqlValue[][], others: AsyncGenerator<SqlValue[][]>): AsyncGenerator<SqlValue[][]> {
  try {
    yield first
    yield* others
  } finally {
    await others.return(undefined)
  }
}

/** A longer result becomes a stream. */
const wholeRowsMax = 1000
/** Killing the process costs the start of another, which takes about as long. */
const disconnectGraceMs = 500
const idleMs = 60_000
