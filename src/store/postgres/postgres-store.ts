// The store on PostgreSQL: several servers may share it; each company has one writer at a time.
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { ApiError } from '../../errors/api-error.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import { isKeyLookup } from '../../engine/sql/index-selection.ts'
import { shareRunning } from '../../lib/share-running.ts'
import { ActiveCompanies } from '../active-companies.ts'
import { CompanyReads, type ReadCost } from './company-reads.ts'
import { queryAll, queryRows, runTransaction, createWriter, terminate, type StoreConnections } from './connection.ts'
import { CompanyWriter, type WriterTotals } from './company-writer.ts'
import { isRollback, toPostgresApiError } from './errors.ts'
import { openPool } from './pool.ts'
import { restrictToCompanies } from './row-security.ts'
import { SharedReads } from './shared-reads.ts'
import { classifyCountQuery, classifyRowQuery, unknownSizes } from '../is-cheap-query.ts'
import { runJournaled } from '../export/journal-transactions.ts'
import { PageLengths, lengthOf } from '../page-lengths.ts'
import {
  countStatement,
  exceedsFirstPage,
  joinRecords,
  pageLimit,
  readParameters,
  readValues,
  rowStatement,
} from '../read.ts'
import { statement, type SqlValues, type Statement } from '../statement.ts'
import type {
  Awaitable,
  CommitJournal,
  RequestClient,
  JsonQueryResult,
  QueryResult,
  Reader,
  Store,
  StoreLoad,
  Transaction,
  TransactionOptions,
  Writer,
  RowFormat,
} from '../store.ts'
import type { TimeLimits } from '../time-limits.ts'

export interface PostgresOptions {
  /** `postgres://…`; of a store on SQLite `sqlite:PATH`. */
  readonly url: string
  readonly connectionsMax?: number
  /** Commands leave it out and take the time they need. */
  readonly timeLimits?: TimeLimits
  /** Closes every connection, also while the store is being opened. */
  readonly signal?: AbortSignal
}

export class PostgresStore implements Store {
  readonly dialect = 'postgres'
  readonly hadUncleanShutdown = false
  readonly health: Reader
  readonly #connections: StoreConnections
  readonly #writers = new Map<CompanyId, CompanyWriter>()
  readonly #totals: WriterTotals = { commits: 0, operationsCommitted: 0, operationsReceived: 0 }
  readonly #companies = new ActiveCompanies()
  readonly #reads: CompanyReads
  readonly #lengths = new PageLengths()
  readonly #systemReads: SharedReads
  #turn = 0
  #isTurnEnding = false
  #journal: CommitJournal | null = null
  /** When the server of the newest connection was started. */
  #serverStart: string | null = null

  constructor(options: PostgresOptions) {
    const { url, signal, timeLimits: limits = null } = options
    const config = {
      max: options.connectionsMax ?? connectionsMax,
      // Statements that an operation sends without awaiting go out together.
      pipeline: true,
      onConnectionLoss: () => this.#journal?.suspectFailover(),
      // Those to a machine that is gone break later than the first one to another server is opened.
      onConnection: (serverStart: string) => {
        if (this.#serverStart !== null && this.#serverStart !== serverStart) this.#journal?.suspectFailover()
        this.#serverStart = serverStart
      },
      // For each statement, and each chunk of a stream; writes have another limit.
      ...(limits === null ? {} : { statement_timeout: limits.readMs }),
    }
    const replyLimit = limits !== null && {
      replyTimeoutMs: 2 * Math.max(limits.readMs, limits.writeMs),
      findWorkingProcesses: shareRunning(async () => {
        const { rows } = await this.#connections.controlPool.query<{ pid: number }>(workingProcessesText)
        return new Set(rows.map(({ pid }) => pid))
      }),
      onReplyTimeout: (processId: number) => terminate(this.#connections, processId),
    }
    const pool = openPool(url, { ...config, ...replyLimit, prepare: restrictToCompanies }, signal)
    const systemPool = openPool(url, { ...config, ...replyLimit, max: systemConnectionsMax }, signal)
    const controlPool = openPool(url, { ...config, max: 1, query_timeout: controlMs }, signal)
    this.#connections = { pool, systemPool, controlPool, limits }
    this.#reads = new CompanyReads(this.#connections, this.#companies)
    this.#systemReads = new SharedReads(systemPool)
    this.health = {
      dialect: this.dialect,
      all: (statement, values) => withApiErrors(queryOnce(controlPool, statement, values)),
      first: async (statement, values) => (await this.health.all(statement, values))[0],
    }
  }

  all<Row>(statement: Statement<Row>, values: SqlValues): Promise<Row[]> {
    const { isCrossCompany } = statement
    const companyId = isCrossCompany ? null : companyOf(values)
    const reads = isCrossCompany ? this.#systemReads : this.#reads.shared
    // The product's own statements, unlike a caller's filter, are searched by the same index for all values.
    const read = companyId === null ? undefined : { companyId, keepsPlan: true }
    return withApiErrors(reads.run(companyId, (client) => queryAll(client, statement, values, read)))
  }

  async first<Row>(statement: Statement<Row>, values: SqlValues): Promise<Row | undefined> {
    return (await this.all(statement, values))[0]
  }

  inTransaction<T>(
    companyId: CompanyId,
    work: (transaction: Transaction) => Awaitable<T>,
    { isLong = false, isOfCompany = false, isReplay = false }: TransactionOptions = {},
  ): Promise<T> {
    this.#companies.add(companyId)
    let writer = this.#writers.get(companyId)
    if (writer === undefined) {
      writer = new CompanyWriter(this.#connections, companyId, this.#totals)
      this.#writers.set(companyId, writer)
    }
    const run = (journaled: typeof work) => writer.enqueue(journaled, isOfCompany && !isLong)
    return this.#journal === null || isReplay ? run(work) : runJournaled(this.#journal, companyId, work, run)
  }

  journalCommits(journal: CommitJournal): void {
    this.#journal = journal
  }

  async inSystemTransaction<T>(work: (writer: Writer) => Awaitable<T>): Promise<T> {
    let isCommitting = false
    try {
      return await runTransaction(this.#connections, null, async ({ client, beginning }) => {
        await beginning
        const value = await work(createWriter(client, null))
        isCommitting = true
        return value
      })
    } catch (error) {
      throw toPostgresApiError(error, isCommitting && !isRollback(error) ? 'unknown' : 'not_applied') ?? error
    }
  }

  async readRows(plan: ReadPlan, format: RowFormat, client?: RequestClient): Promise<QueryResult> {
    this.#companies.add(plan.companyId)
    const limit = pageLimit(plan)
    if (exceedsFirstPage(plan) || this.#lengths.isLong(plan, limit))
      return { chunks: this.#reads.stream(plan, format, client) }
    const statement = rowStatement(plan, format)
    const values = readValues(plan, statement, { dialect: 'postgres', limit })
    const cost = costOf(plan, limit)
    const found = await this.#reads.run(plan.companyId, { cost, caller: client }, (connection) =>
      queryRows(connection, statement, values, { companyId: plan.companyId, keepsPlan: isKeyLookup(plan) }),
    )
    this.#lengths.add(plan, found.length, () => lengthOf(found))
    const isWhole = found.length < limit || limit === plan.top
    return isWhole ? { whole: found } : { chunks: this.#reads.stream(plan, format, client) }
  }

  async readJson(plan: ReadPlan, client?: RequestClient): Promise<JsonQueryResult> {
    return joinRecords(await this.readRows(plan, 'json', client))
  }

  async count(plan: ReadPlan, caller?: RequestClient): Promise<number> {
    this.#companies.add(plan.companyId)
    const cost = classifyCountQuery(plan, unknownSizes) === null ? 'costly' : 'cheap'
    const [found] = await this.#reads.run(plan.companyId, { cost, caller }, (connection) =>
      queryAll(connection, countStatement(plan), readParameters(plan), { companyId: plan.companyId, keepsPlan: false }),
    )
    return found?.count ?? 0
  }

  reports(companyId: CompanyId, caller?: RequestClient): Reader {
    this.#companies.add(companyId)
    const all = <Row>(statement: Statement<Row>, values: SqlValues) =>
      this.#reads.run(companyId, { cost: 'costly', caller }, (connection) =>
        queryAll(connection, statement, values, { companyId, keepsPlan: false }),
      )
    const first: Reader['first'] = async (statement, values) => (await all(statement, values))[0]
    return { dialect: this.dialect, all, first }
  }

  async ping(): Promise<void> {
    const mode = await this.health.first(modeStatement, {})
    if (mode?.readOnly === 'off') return
    throw new ApiError('DatabaseUnavailable', { headers: { 'Retry-After': '1' } })
  }

  load(): StoreLoad {
    const { pool, systemPool, controlPool } = this.#connections
    const pools = [pool, systemPool, controlPool]
    const writers = [...this.#writers.values()]
    const { streamsOpen, waiting } = this.#reads.load()
    const { commits, operationsCommitted } = this.#totals
    return {
      operationsWaiting: writers.reduce((sum, writer) => sum + writer.operationsWaiting, 0),
      streamsOpen,
      commits,
      operationsCommitted,
      connectionsOpen: pools.reduce((sum, { totalCount }) => sum + totalCount, 0),
      connectionsIdle: pools.reduce((sum, { idleCount }) => sum + idleCount, 0),
      connectionsAwaited: pool.waitingCount + systemPool.waitingCount + waiting,
    }
  }

  snapshotVersion(): number {
    if (!this.#isTurnEnding) {
      this.#isTurnEnding = true
      setImmediate(() => {
        this.#turn++
        this.#isTurnEnding = false
      })
    }
    return this.#turn
  }

  /** The server checks its own pages. */
  async checkIntegrity(): Promise<readonly string[]> {
    return []
  }

  async close(): Promise<void> {
    // Closing a closed store does nothing, as with SQLite.
    const { pool, systemPool, controlPool } = this.#connections
    if (pool.ending) return
    await Promise.all([pool.end(), systemPool.end()])
    // Until then it ends what clients have given up.
    await controlPool.end()
  }
}

/** `limit` is the number of rows to read. */
function costOf(plan: ReadPlan, limit: number): ReadCost {
  const kind = classifyRowQuery(plan, unknownSizes)
  if (kind === null) return 'costly'
  const isShort = isKeyLookup(plan) || (kind === 'range' && plan.skip + limit <= shortRowsMax)
  return isShort ? 'short' : 'cheap'
}

/** A read of so many rows takes a fraction of a millisecond. */
const shortRowsMax = 200

/** Null where the statement concerns no company. */
function companyOf(values: SqlValues): number | null {
  const companyId = 'companyId' in values ? values.companyId : null
  return typeof companyId === 'number' ? companyId : null
}

/** After an error the connection is closed. */
async function queryOnce<Row>(pool: Pool, statement: Statement<Row>, values: SqlValues): Promise<Row[]> {
  const client = await pool.connect()
  let isReusable = false
  try {
    const rows = await queryAll(client, statement, values)
    isReusable = true
    return rows
  } finally {
    client.release(!isReusable)
  }
}

async function withApiErrors<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    throw toPostgresApiError(error, 'not_applied') ?? error
  }
}

/** With those of the system and of health checks these are 24; streams and costly reads use 12 of them at most. */
const connectionsMax = 19
const systemConnectionsMax = 4
/** The time limit of health checks. */
const controlMs = 5000

/** Also those whose state the user may not see, or PostgreSQL does not track. */
const workingProcessesText = `select pid from pg_stat_activity where coalesce(state, '') not like 'idle%'`

/** `on` on a standby, and on a primary that was made read-only. */
const modeStatement = statement<{ readOnly: string }>(
  () => sql`select current_setting('transaction_read_only') as "readOnly"`,
)
