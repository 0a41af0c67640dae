// The store on SQLite: one writer with group commit, one reader with a snapshot per tick, streams.
import { setTimeout } from 'node:timers/promises'
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
import {
  OperationFailed,
  runWithSavepoints,
  runBatch,
  type PendingOperation,
} from '../transaction-batch.ts'
import { Checkpointer } from './checkpointer.ts'
import { busyTimeoutMs, connect, type Connection } from './connection.ts'
import { WriteBatch } from './write-batch.ts'
import { WriterCache } from './writer-cache.ts'
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts'
import { startQuickCheck, type RunningQuickCheck } from './quick-check.ts'
import { busyError, isConstraintViolation, isStorageError, toSqliteApiError } from './errors.ts'
import {
  classifyCountQuery,
  classifyRowQuery,
  isKeyLookup,
  recordsMax,
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
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #streams: Connection[] = []
  readonly #logPagesMax: number
  readonly #snapshots = new OpenSnapshots(() => this.#truncateLongLog())
  readonly #workers: QueryWorkers
  readonly #checkpointer: Checkpointer
  readonly #streamSlots: ReadSlots
  readonly #sizes: DatabaseSizes = {
    pages: () => this.#reader.pageCount(),
    isFew: (plan) => this.#countUpTo(plan, recordsMax + 1) <= recordsMax,
    isShortChangeLog: (plan) => this.#isShortChangeLog(plan),
  }
  readonly #cache = new WriterCache()
  #isReading = false
  #waiting: SqliteOperation[] = []
  #isCommitting = false
  /** The number of operations that the previous commit was begun with. */
  #lastBatchLength = 0
  #commits = 0
  #operationsCommitted = 0
  #isBroken = false
  #isClosing = false
  /** After an unclean shutdown, false until the pages have been checked. */
  #isSound: boolean
  #check: RunningQuickCheck | null = null

  constructor(options: SqliteOptions) {
    this.#options = options
    this.hadUncleanShutdown = options.hadUncleanShutdown
    this.#isSound = !options.hadUncleanShutdown
    this.#writer = connect(options.path, 'writer')
    this.#writer.disableAutoCheckpoint()
    this.#writer.setBusyTimeout(0)
    this.#logPagesMax = Math.floor((options.logBytesMax ?? logBytesMax) / pageBytes)
    this.#writer.limitLogFile(this.#logPagesKept * pageBytes)
    this.#reader = connect(options.path, 'reader')
    this.#checkpointer = new Checkpointer(options.path)
    const waitMs = options.timeLimits?.readMs ?? null
    this.#streamSlots = new ReadSlots({ count: streamsMax, waitMs, limitName: 'streamsMax' })
    this.#workers = new QueryWorkers({
      path: options.path,
      limits: options.timeLimits ?? null,
      snapshots: this.#snapshots,
      toError: (error) => this.#mapError(error, 'not_applied'),
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
    return this.#enqueue(async (group) => {
      return work({ ...group.writer, companyId, sequences: await group.getSequences(companyId) })
    }, options)
  }

  inSystemTransaction<T>(work: (writer: Writer) => Awaitable<T>) {
    return this.#enqueue((group) => work(group.writer))
  }

  readRows(plan: ReadPlan, format: RowFormat, client?: RequestClient): Awaitable<QueryResult> {
    if (classifyRowQuery(plan, this.#sizes) === null)
      return this.#workers.rows(plan, format, client)
    const limit = pageLimit(plan)
    const statement = rowStatement(plan, format)
    const values = valuesOf(plan, statement, limit)
    const rows = this.#read((connection) => connection.rows(statement, values))
    const isWhole = rows.length < limit || limit === plan.top
    return isWhole ? { whole: rows } : { chunks: this.#chunks(plan, format, client) }
  }

  readJson(plan: ReadPlan, client?: RequestClient): Awaitable<JsonQueryResult> {
    if (classifyRowQuery(plan, this.#sizes) === null)
      return this.#workers.rows(plan, 'json', client).then(joinRecords)
    const limit = pageLimit(plan)
    const { count, records } = isKeyLookup(plan)
      ? this.#readRecords(plan, limit)
      : this.#readPage(plan, limit)
    const isWhole = count < limit || limit === plan.top
    if (isWhole) return { whole: records ?? '' }
    return { chunks: joinChunks(this.#chunks(plan, 'json', client)) }
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

  get health(): Reader {
    return this
  }

  ping(): void {
    if (this.#isBroken) throw new ApiError('DatabaseUnavailable')
    this.#read((connection) => connection.raw.prepare('select 1').get())
  }

  load(): StoreLoad {
    const { processes, idle, waiting } = this.#workers.load()
    return {
      operationsWaiting: this.#waiting.length,
      streamsOpen: this.#streamSlots.inUse,
      commits: this.#commits,
      operationsCommitted: this.#operationsCommitted,
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
    while (this.#isCommitting || this.#waiting.length > 0) await yieldToEventLoop()
    await this.#checkpointer.close()
    this.#endRead()
    for (const connection of [...this.#streams, this.#reader]) connection.close()
    if (!this.#isBroken)
      this.#runReporting(() => {
        this.#writer.setBusyTimeout(busyTimeoutMs)
        this.#writer.raw.pragma('wal_checkpoint(TRUNCATE)')
      })
    this.#writer.close()
    this.#options.onClose?.(this.#isSound && !this.#isBroken)
  }

  /** All reads of one tick share a snapshot: one BEGIN for many. */
  #read<T>(work: (connection: Connection) => T): T {
    if (!this.#isReading) {
      this.#reader.exec('begin')
      this.#isReading = true
      setImmediate(() => this.#endRead())
    }
    try {
      return work(this.#reader)
    } catch (error) {
      throw this.#mapError(error, 'not_applied')
    }
  }

  #endRead(): void {
    if (!this.#isReading) return
    this.#isReading = false
    this.#runReporting(() => this.#reader.exec('commit'))
  }

  /** Nobody waits for this work, so an error is only reported to the server: it may show that the file is corrupt. */
  #runReporting(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#mapError(error, 'not_applied')
    }
  }

  #enqueue<T>(
    work: (group: WriteBatch) => Awaitable<T>,
    { isLastOfCommit = false }: TransactionOptions = {},
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = async (group: WriteBatch) => {
        const value = await work(group)
        return () => resolve(value)
      }
      const fail = (error: unknown) => reject(this.#mapError(error, 'not_applied'))
      this.#waiting.push({ run, fail, isLastOfCommit })
      if (!this.#isCommitting) this.#commitSoon()
    })
  }

  #commitSoon(): void {
    this.#isCommitting = true
    setImmediate(() => void this.#commitWaiting())
  }

  async #commitWaiting(): Promise<void> {
    const isGrouping = this.#options.isGrouping !== false
    if (isGrouping) await this.#gather()
    const operations = this.#waiting.splice(0, isGrouping ? this.#commitLength() : 1)
    if (operations.length > 0) {
      this.#lastBatchLength = operations.length
      await this.#commit(operations)
    }
    if (!this.#isBroken) await this.#checkpointIfDue()
    this.#isCommitting = false
    if (this.#waiting.length > 0) this.#commitSoon()
  }

  /** The number of waiting operations that share the next commit. */
  #commitLength(): number {
    const last = this.#waiting.findIndex(({ isLastOfCommit }) => isLastOfCommit)
    return last === -1 ? this.#waiting.length : last + 1
  }

  /**
   * Clients that got their replies together send their next operations within a few turns of the event loop. While each
   * turn brings more, the commit waits for them. It never waits for a client that is alone.
   */
  async #gather(): Promise<void> {
    let count = this.#waiting.length
    if (count === 1 && this.#lastBatchLength <= 1) return
    for (let turn = 0; turn < gatherTurnsMax && count < gatherOperationsMax; turn += 1) {
      await yieldToEventLoop()
      if (this.#waiting.length === count) return
      count = this.#waiting.length
    }
  }

  /** One durable commit for all waiting operations; none is completed before it. */
  async #commit(
    operations: readonly PendingOperation<WriteBatch>[],
    hasSavepoints = false,
  ): Promise<void> {
    try {
      if (this.#isBroken) throw new ApiError('StorageError')
      await this.#begin()
      this.#cache.open(this.#writer.dataVersion())
      const group = new WriteBatch(this.#writer, this.#cache)
      const completions = hasSavepoints
        ? await runWithSavepoints(operations, group, group.savepoints)
        : await runBatch(operations, group)
      await group.saveSequences()
      this.#writer.exec('commit')
      this.#options.onCommit?.(group.lastTimestamp)
      group.cacheSequences()
      this.#commits++
      this.#operationsCommitted += operations.length
      // Reads of this tick must see the commit.
      this.#endRead()
      for (const complete of completions) complete()
    } catch (error) {
      this.#cache.clear()
      if (this.#writer.raw.inTransaction) this.#writer.exec('rollback')
      if (error instanceof OperationFailed && operations.length > 1)
        return this.#commit(operations, true)
      // The commit checks references, and does not say whose operation broke one: each gets a commit of its own.
      if (isConstraintViolation(error) && operations.length > 1) {
        for (const operation of operations) await this.#commit([operation])
        return
      }
      // Whether a failed commit was stored is unknown until the next start.
      const cause =
        error instanceof OperationFailed ? error.cause : this.#mapError(error, 'unknown')
      for (const operation of operations) operation.fail(cause)
    } finally {
      this.#writer.restoreCache()
    }
  }

  /**
   * Waits for another process that writes, such as a command beside the server. SQLite's own wait would block this
   * process, and sleeps 0.1 s between attempts: beside a server that commits all the time it might never succeed.
   */
  async #begin(): Promise<void> {
    for (let attempts = 1; !this.#writer.tryBeginImmediate(); attempts++) {
      if (attempts === busyTimeoutMs / lockRetryMs) throw busyError('not_applied')
      await setTimeout(lockRetryMs)
    }
  }

  /** Keeps the write-ahead log short, whatever readers do (ADR 0054). */
  async #checkpointIfDue(): Promise<void> {
    const { log, checkpointed } = this.#writer.logState()
    const isDue = log - checkpointed >= checkpointPages
    if (isDue) await this.#checkpoint()
    if (isDue && log > this.#logPagesMax) await this.#endOldestRead()
    if (this.#isBroken || log <= this.#logPagesKept || !this.#snapshots.isEmpty) return
    this.#runReporting(() => {
      this.#endRead()
      this.#writer.truncateLog()
    })
  }

  /** The next commit waits for it, so that the log starts again from its beginning; reads go on. */
  async #checkpoint(): Promise<void> {
    try {
      await this.#checkpointer.run()
    } catch (error) {
      // Nothing is lost, because the write-ahead log has it; an error of the disk stops further writes.
      this.#mapError(error, 'not_applied')
    }
  }

  /** Where a read needs older pages. Others may have begun meanwhile, so this is repeated until the log can be reset. */
  async #endOldestRead(): Promise<void> {
    const { log, checkpointed } = this.#writer.logState()
    if (checkpointed === log || this.#snapshots.isEmpty) return
    this.#snapshots.endOldest()
    await this.#checkpoint()
  }

  /** The size of a log that is kept for further commits: to extend a file takes longer than to overwrite it. */
  get #logPagesKept(): number {
    return Math.floor(this.#logPagesMax / 4)
  }

  /** When the last long read ends: a checkpoint in a turn of the writer, without a commit. */
  #truncateLongLog(): void {
    if (this.#isCommitting || this.#isBroken || this.#isClosing) return
    if (this.#writer.logState().log > this.#logPagesKept) this.#commitSoon()
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
  async *#chunks(
    plan: ReadPlan,
    format: RowFormat,
    client: RequestClient | undefined,
  ): AsyncGenerator<SqlValue[][]> {
    const release = await this.#streamSlots.acquire(plan.companyId, client)
    let connection: Connection | undefined
    let closeSnapshot: (() => void) | undefined
    try {
      connection = this.#streams.pop() ?? connect(this.#options.path, 'stream')
      let chunk: SqlValue[][] = []
      let length = 0
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
        await yieldToEventLoop()
      }
      if (isEnded) throw overloadedError()
      if (chunk.length > 0) yield chunk
    } catch (error) {
      throw this.#mapError(error, 'not_applied')
    } finally {
      closeSnapshot?.()
      if (connection !== undefined) this.#streams.push(connection)
      release()
    }
  }

  #mapError(error: unknown, outcome: 'not_applied' | 'unknown'): unknown {
    if (isStorageError(error) && !this.#isBroken) {
      this.#isBroken = true
      this.#options.onStorageError?.(error)
    }
    return toSqliteApiError(error, outcome) ?? error
  }
}

/** Shorter than the time between two commits of a busy server. */
const lockRetryMs = 1

interface SqliteOperation extends PendingOperation<WriteBatch> {
  readonly isLastOfCommit: boolean
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

/** Pages in the write-ahead log before a checkpoint, the same as the default of SQLite. */
const checkpointPages = 1000
const logBytesMax = 256 * 1024 * 1024
/** With its header in the log. */
const pageBytes = 4096 + 24
/** The most turns of the event loop that a commit waits for further operations. */
const gatherTurnsMax = 8
/** A commit with as many operations does not wait for more. */
const gatherOperationsMax = 256
