// The store on PostgreSQL: several servers may share it; each company has one writer at a time.
import type { Pool, PoolClient } from 'pg'
import { ApiError } from '../../errors/api-error.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import { queryAll, openCursor, queryRows, runTransaction, createWriter } from './connection.ts'
import { CompanyWriter, type CommitTotals } from './company-writer.ts'
import { toPostgresApiError } from './errors.ts'
import { openPool } from './pool.ts'
import { nextChunkRows } from '../stream-chunk.ts'
import {
  countStatement,
  joinRecords,
  pageLimit,
  readParameters,
  readValues,
  rowStatement,
} from '../read.ts'
import type { SqlValue } from '../../engine/sql/dialect.ts'
import { statement, type SqlValues, type Statement } from '../statement.ts'
import { ReadSlots, streamsMax } from '../read-slots.ts'
import type {
  Awaitable,
  RequestClient,
  JsonQueryResult,
  QueryResult,
  Store,
  StoreLoad,
  Transaction,
  Writer,
  RowFormat,
} from '../store.ts'
import { readTooCostlyError, type TimeLimits } from '../time-limits.ts'

export interface PostgresOptions {
  readonly url: string
  readonly connectionsMax?: number
  readonly timeLimits?: TimeLimits
  readonly signal?: AbortSignal
}

export class PostgresStore implements Store {
  readonly dialect = 'postgres'
  readonly hadUncleanShutdown = false
  readonly #pool: Pool
  readonly #writers = new Map<CompanyId, CompanyWriter>()
  readonly #committed: CommitTotals = { commits: 0, operationsCommitted: 0 }
  readonly #limits: TimeLimits | null
  readonly #streamSlots: ReadSlots

  constructor(options: PostgresOptions) {
    this.#limits = options.timeLimits ?? null
    this.#streamSlots = new ReadSlots({
      count: streamsMax,
      waitMs: this.#limits?.readMs ?? null,
      limitName: 'streamsMax',
    })
    const config = {
      max: options.connectionsMax ?? 16,
      // Statements that an operation sends without awaiting go out together.
      pipeline: true,
      // For each statement, and each chunk of a stream; writes have another limit.
      ...(this.#limits === null ? {} : { statement_timeout: this.#limits.readMs }),
    }
    this.#pool = openPool(options.url, config, options.signal)
  }

  all<Row>(statement: Statement<Row>, values: SqlValues): Promise<Row[]> {
    return this.#mapErrors(() => queryAll(this.#pool, statement, values))
  }

  async first<Row>(statement: Statement<Row>, values: SqlValues): Promise<Row | undefined> {
    return (await this.all(statement, values))[0]
  }

  inTransaction<T>(
    companyId: CompanyId,
    work: (transaction: Transaction) => Awaitable<T>,
  ): Promise<T> {
    let writer = this.#writers.get(companyId)
    if (writer === undefined) {
      writer = new CompanyWriter(this.#pool, companyId, this.#committed, this.#limits)
      this.#writers.set(companyId, writer)
    }
    return writer.enqueue(work)
  }

  async inSystemTransaction<T>(work: (writer: Writer) => Awaitable<T>): Promise<T> {
    let isCommitting = false
    try {
      return await runTransaction(this.#pool, this.#limits, async (client) => {
        const value = await work(createWriter(client))
        isCommitting = true
        return value
      })
    } catch (error) {
      throw toPostgresApiError(error, isCommitting ? 'unknown' : 'not_applied') ?? error
    }
  }

  async readRows(plan: ReadPlan, format: RowFormat, client?: RequestClient): Promise<QueryResult> {
    const limit = pageLimit(plan)
    const statement = rowStatement(plan, format)
    const values = readValues(plan, statement, { dialect: 'postgres', limit })
    const found = await this.#readPlan(() => queryRows(this.#pool, statement, values))
    const isWhole = found.length < limit || limit === plan.top
    return isWhole ? { whole: found } : { chunks: this.#chunks(plan, format, client) }
  }

  async readJson(plan: ReadPlan, client?: RequestClient): Promise<JsonQueryResult> {
    return joinRecords(await this.readRows(plan, 'json', client))
  }

  async count(plan: ReadPlan): Promise<number> {
    const [found] = await this.#readPlan(() =>
      queryAll(this.#pool, countStatement(plan), readParameters(plan)),
    )
    return found?.count ?? 0
  }

  async ping(): Promise<void> {
    await this.all(pingStatement, {})
  }

  load(): StoreLoad {
    const { totalCount, idleCount, waitingCount } = this.#pool
    const writers = [...this.#writers.values()]
    return {
      operationsWaiting: writers.reduce((sum, writer) => sum + writer.operationsWaiting, 0),
      streamsOpen: this.#streamSlots.inUse,
      ...this.#committed,
      connectionsOpen: totalCount,
      connectionsIdle: idleCount,
      connectionsAwaited: waitingCount + this.#streamSlots.waiting,
    }
  }

  /** The server checks its own pages; whether commits are durable is a setting. */
  async checkIntegrity(): Promise<readonly string[]> {
    const found = await this.first(durabilityStatement, {})
    return found?.setting === 'off'
      ? ['synchronous_commit is off: writes that were acknowledged can be lost']
      : []
  }

  async close(): Promise<void> {
    // Closing a closed store does nothing, as with SQLite.
    if (!this.#pool.ending) await this.#pool.end()
  }

  async *#chunks(
    plan: ReadPlan,
    format: RowFormat,
    caller: RequestClient | undefined,
  ): AsyncGenerator<SqlValue[][]> {
    const release = await this.#streamSlots.acquire(plan.companyId, caller)
    let client: PoolClient | undefined
    try {
      client = await this.#pool.connect()
      await client.query('begin transaction isolation level repeatable read read only')
      const values = { ...readParameters(plan), limit: plan.top ?? Number.MAX_SAFE_INTEGER }
      const next = await openCursor(client, rowStatement(plan, format), values)
      for (
        let rows = await next(firstRows);
        rows.length > 0;
        rows = await next(nextChunkRows(rows))
      )
        yield rows
    } catch (error) {
      throw this.#readFault(error)
    } finally {
      release()
      // The rollback discards the remaining rows of an abandoned stream.
      const isClean = await client?.query('rollback').then(
        () => true,
        () => false,
      )
      client?.release(isClean !== true)
    }
  }

  /** Runs the read of a plan; a timeout means that the query is too costly. */
  async #readPlan<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw this.#readFault(error)
    }
  }

  #readFault(error: unknown): unknown {
    const failure = toPostgresApiError(error, 'not_applied') ?? error
    const isOver = failure instanceof ApiError && failure.code === 'Timeout'
    return isOver && this.#limits !== null ? readTooCostlyError(this.#limits) : failure
  }

  async #mapErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw toPostgresApiError(error, 'not_applied') ?? error
    }
  }
}

/** The length of rows is only known after the first chunk. */
const firstRows = 50

const durabilityStatement = statement<{ setting: string }>(({ db }) =>
  db.selectNoFrom((eb) =>
    eb.fn<string>('current_setting', [eb.val('synchronous_commit')]).as('setting'),
  ),
)

const pingStatement = statement<{ one: number }>(({ db }) =>
  db.selectNoFrom((eb) => eb.lit(1).as('one')),
)
