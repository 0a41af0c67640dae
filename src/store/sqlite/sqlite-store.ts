// The store on SQLite: a writer, a reader with a snapshot per tick, streams, and query workers.
import { ApiError } from '../../errors/api-error.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import {
  countInChangeLogStatement,
  countStatement,
  countUpToStatement,
  joinChunks,
  pageStatement,
  readParameters,
  readValues,
  joinRecords,
  rowStatement,
  pageLimit,
} from '../read.ts'
import { connect, type Connection } from './connection.ts'
import { DatabaseWriter } from './database-writer.ts'
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts'
import { startQuickCheck, type RunningQuickCheck } from './quick-check.ts'
import { DatabaseErrors } from './errors.ts'
import {
  classifyCountQuery,
  classifyRowQuery,
  isKeyLookup,
  recordsMax,
  type CheapQueryKind,
  type DatabaseSizes,
} from '../is-cheap-query.ts'
import { OpenSnapshots } from './open-snapshots.ts'
import { QueryWorkers } from './query-workers.ts'
import { isChunkFull, rowLength } from '../stream-chunk.ts'
import type { SqlValue } from '../../engine/sql/dialect.ts'
import type { SqlValues, Statement } from '../statement.ts'
import { overloadedError, ReadSlots, streamsMax } from '../read-slots.ts'
import type {
  Awaitable,
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

export interface SqliteOptions {
  readonly path: string
  /** Called once when the file may be corrupt; the process should exit. */
  readonly onStorageError?: (error: unknown) => void
  readonly hadUncleanShutdown: boolean
  /** Called after each durable commit with the timestamp of the last change in it; 0 if it has none. */
  readonly onCommit?: (lastChange: number) => void
  /** Called when the file is closed, with whether no problem was found. */
  readonly onClose?: (isSound: boolean) => void
  /** Where false, every operation has its own commit; for comparison in the benchmark. */
  readonly isGrouping?: boolean
  readonly timeLimits?: TimeLimits
  /** The size of the write-ahead log above which the oldest long read is ended. */
  readonly logBytesMax?: number
}

export class SqliteStore implements Store {
  readonly dialect = 'sqlite'
  readonly hadUncleanShutdown: boolean
  readonly #options: SqliteOptions
  readonly #errors: DatabaseErrors
  readonly #writer: DatabaseWriter
  readonly #reader: Connection
  readonly #streams: Connection[] = []
  readonly #snapshots = new OpenSnapshots({
    beforeFirst: () => this.#writer.shortenLog(),
    onEmpty: () => {
      if (!this.#isClosing) this.#writer.truncateLongLog()
    },
  })
  readonly #workers: QueryWorkers
  readonly #streamSlots: ReadSlots
  /** Each until the next turn of the event loop. */
  readonly #pageSlots: ReadSlots
  readonly #sizes: DatabaseSizes = {
    pages: () => this.#reader.pageCount(),
    isFew: (plan) => this.#countUpTo(plan, recordsMax + 1) <= recordsMax,
    isShortChangeLog: (plan) => this.#isShortChangeLog(plan),
  }
  #isReading = false
  /** The rows of the pages that were read in this turn of the event loop. */
  #rowsOfTurn = 0
  #isClosing = false
  /** After an unclean shutdown, false until the pages have been checked. */
  #isSound: boolean
  #check: RunningQuickCheck | null = null

  constructor(options: SqliteOptions) {
    this.#options = options
    this.hadUncleanShutdown = options.hadUncleanShutdown
    this.#isSound = !options.hadUncleanShutdown
    this.#errors = new DatabaseErrors(options.onStorageError)
    this.#writer = new DatabaseWriter({
      path: options.path,
      errors: this.#errors,
      snapshots: this.#snapshots,
      endRead: () => this.#endRead(),
      onCommit: options.onCommit,
      isGrouping: options.isGrouping ?? true,
      logBytesMax: options.logBytesMax ?? logBytesMax,
    })
    this.#reader = connect(options.path, 'reader')
    const waitMs = options.timeLimits?.readMs ?? null
    this.#streamSlots = new ReadSlots({ count: streamsMax, waitMs, limitName: 'streamsMax' })
    this.#pageSlots = new ReadSlots({ count: pagesOfTurnMax, waitMs })
    this.#workers = new QueryWorkers({
      path: options.path,
      limits: options.timeLimits ?? null,
      snapshots: this.#snapshots,
      toError: (error) => this.#errors.map(error, 'not_applied'),
    })
  }

  all<Row>(statement: Statement<Row>, values: SqlValues): Row[] {
    return this.#read((connection) => connection.all(statement, values))
  }

  first<Row>(statement: Statement<Row>, values: SqlValues): Row | undefined {
    return this.#read((connection) => connection.first(statement, values))
  }

  inTransaction<T>(
    companyId: CompanyId,
    work: (transaction: Transaction) => Awaitable<T>,
    options: TransactionOptions = {},
  ) {
    return this.#writer.enqueue(async (group) => {
      return work({ ...group.writer, companyId, sequences: await group.getSequences(companyId) })
    }, options)
  }

  inSystemTransaction<T>(work: (writer: Writer) => Awaitable<T>) {
    return this.#writer.enqueue((group) => work(group.writer))
  }

  readRows(plan: ReadPlan, format: RowFormat, client?: RequestClient): Awaitable<QueryResult> {
    const kind = classifyRowQuery(plan, this.#sizes)
    if (kind === null) return this.#workers.rows(plan, format, client)
    const statement = rowStatement(plan, format)
    return this.#readInTurn({ plan, kind, client }, (limit) => {
      const values = valuesOf(plan, statement, limit)
      const rows = this.#read((connection) => connection.rows(statement, values))
      const isWhole = this.#isWhole(plan, limit, rows.length)
      return isWhole ? { whole: rows } : { chunks: this.#chunks(plan, format, client) }
    })
  }

  readJson(plan: ReadPlan, client?: RequestClient): Awaitable<JsonQueryResult> {
    const kind = classifyRowQuery(plan, this.#sizes)
    if (kind === null) return this.#workers.rows(plan, 'json', client).then(joinRecords)
    return this.#readInTurn({ plan, kind, client }, (limit) => {
      const { count, records } = isKeyLookup(plan) ? this.#readRecords(plan, limit) : this.#readPage(plan, limit)
      if (this.#isWhole(plan, limit, count)) return { whole: records ?? '' }
      return { chunks: joinChunks(this.#chunks(plan, 'json', client)) }
    })
  }

  /** Pages that would make this turn of the event loop long take turns with other requests, by company. */
  #readInTurn<T>({ plan, kind, client }: PageRead, read: (limit: number) => T): Awaitable<T> {
    const limit = pageLimit(plan)
    if (kind === 'lookup' || limit <= shortPageRows || this.#rowsOfTurn < rowsOfTurnMax) return read(limit)
    return this.#pageSlots.acquire(plan.companyId, client).then((release) => {
      setImmediate(release)
      return read(limit)
    })
  }

  #isWhole({ top }: ReadPlan, limit: number, rows: number): boolean {
    this.#rowsOfTurn += rows
    return rows < limit || limit === top
  }

  /** The page as one value, so that no JavaScript string is created per record. */
  #readPage(plan: ReadPlan, limit: number): JsonPage {
    const statement = pageStatement(plan)
    return this.first(statement, valuesOf(plan, statement, limit)) ?? emptyPage
  }

  /** The same from a row per record, which is faster for few. */
  #readRecords(plan: ReadPlan, limit: number): JsonPage {
    const statement = rowStatement(plan, 'json')
    const values = valuesOf(plan, statement, limit)
    const texts = this.#read((connection) => connection.texts(statement, values))
    return { count: texts.length, records: texts.join(',') }
  }

  count(plan: ReadPlan, client?: RequestClient): Awaitable<number> {
    if (classifyCountQuery(plan, this.#sizes) === null) return this.#workers.count(plan, client)
    const statement = countStatement(plan)
    return this.first(statement, valuesOf(plan, statement, 1))?.count ?? 0
  }

  reports(companyId: CompanyId, client?: RequestClient): Reader {
    if (this.#reader.pageCount() <= smallPages) return this
    const all = async <Row>(statement: Statement<Row>, values: SqlValues) => {
      const read = this.#read((connection) => connection.rowReader(statement))
      const rows: Row[] = []
      for await (const chunk of this.#workers.chunks(companyId, statement, values, client))
        for (const row of chunk) rows.push(read(row))
      return rows
    }
    const first: Reader['first'] = async (statement, values) => (await all(statement, values))[0]
    return { dialect: this.dialect, all, first }
  }

  get health(): Reader {
    return this
  }

  ping(): void {
    if (this.#errors.isBroken) throw new ApiError('DatabaseUnavailable')
    this.#read((connection) => connection.raw.prepare('select 1').get())
  }

  load(): StoreLoad {
    const { processes, idle, waiting } = this.#workers.load()
    return {
      ...this.#writer.load(),
      streamsOpen: this.#streamSlots.inUse,
      connectionsOpen: 2 + this.#streamSlots.inUse + this.#streams.length + processes,
      connectionsIdle: this.#streams.length + idle,
      connectionsAwaited: this.#streamSlots.waiting + waiting,
    }
  }

  async checkIntegrity(): Promise<readonly string[]> {
    this.#check ??= startQuickCheck(this.#options.path)
    const findings = await this.#check.findings
    this.#isSound = findings.length === 0
    return findings
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#check?.stop()
    this.#workers.close()
    await this.#writer.finish()
    this.#endRead()
    for (const connection of [...this.#streams, this.#reader]) connection.close()
    this.#writer.close()
    this.#options.onClose?.(this.#isSound && !this.#errors.isBroken)
  }

  /** All reads of one tick share a snapshot: one BEGIN for many. */
  #read<T>(work: (connection: Connection) => T): T {
    try {
      if (!this.#isReading) {
        this.#reader.exec('begin')
        this.#isReading = true
        setImmediate(() => this.#endRead())
      }
      return work(this.#reader)
    } catch (error) {
      throw this.#errors.map(error, 'not_applied')
    }
  }

  #endRead(): void {
    if (!this.#isReading) return
    this.#isReading = false
    this.#rowsOfTurn = 0
    this.#errors.runReporting(() => this.#reader.exec('commit'))
  }

  #countUpTo(plan: ReadPlan, limit: number): number {
    return this.first(countUpToStatement(plan), { ...readParameters(plan), limit })?.count ?? 0
  }

  #isShortChangeLog(plan: ReadPlan): boolean {
    if (plan.filter !== null && this.#countUpTo(plan, recordsMax + 1) <= recordsMax) return true
    if (plan.top === null) return false
    const limit = plan.skip + plan.top
    const values = { ...readParameters(plan), entries: recordsMax, limit }
    return this.first(countInChangeLogStatement(plan), values)?.count === limit
  }

  /** Streams over a separate connection, whose open statement holds the snapshot. */
  async *#chunks(plan: ReadPlan, format: RowFormat, client: RequestClient | undefined): AsyncGenerator<SqlValue[][]> {
    const release = await this.#streamSlots.acquire(plan.companyId, client)
    let connection: Connection | undefined
    let closeSnapshot: (() => void) | undefined
    try {
      await this.#snapshots.prepare()
      connection = this.#streams.pop() ?? connect(this.#options.path, 'stream')
      let chunk: SqlValue[][] = []
      let length = 0
      let chunks = 0
      const values = { ...readParameters(plan), limit: plan.top ?? -1 }
      const rows = connection.iterate(rowStatement(plan, format), values)
      let isEnded = false
      closeSnapshot = this.#snapshots.add(() => {
        isEnded = true
        rows.return?.()
      })
      for (const row of rows) {
        chunk.push(row)
        length += rowLength(row)
        if (!isChunkFull(chunk.length, length)) continue
        yield chunk
        chunk = []
        length = 0
        if (++chunks >= chunksPerTurn / this.#streamSlots.inUse) {
          chunks = 0
          await yieldToEventLoop()
        }
      }
      if (isEnded) throw overloadedError()
      if (chunk.length > 0) yield chunk
    } catch (error) {
      throw this.#errors.map(error, 'not_applied')
    } finally {
      closeSnapshot?.()
      if (connection !== undefined) this.#streams.push(connection)
      release()
    }
  }
}

/** A report on a file of at most so many pages takes some 50 ms, less than the start of a worker. */
const smallPages = 2500

interface PageRead {
  readonly plan: ReadPlan
  readonly kind: CheapQueryKind
  readonly client: RequestClient | undefined
}

/** Records as JSON, with commas between them. */
interface JsonPage {
  readonly count: number
  readonly records: string | Buffer | null
}

const emptyPage: JsonPage = { count: 0, records: null }

function valuesOf(plan: ReadPlan, statement: Statement<unknown>, limit: number) {
  return readValues(plan, statement, { dialect: 'sqlite', limit })
}

/** Pages of so many rows never wait. */
const shortPageRows = 100
/** Some 2 to 4 ms. */
const rowsOfTurnMax = 2000
/** Long pages in each turn, when there were so many rows already. */
const pagesOfTurnMax = 4

const logBytesMax = 256 * 1024 * 1024
/**
 * Of all streams, but at least one of each. Beside many callers a turn of the event loop is long, and so were the snapshot of a
 * stream that got one chunk in each.
 */
const chunksPerTurn = 4
