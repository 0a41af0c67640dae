// The store on SQLite: a writer, a reader with a snapshot per tick, streams, and query workers.
import { SqliteError } from 'better-sqlite3'
import { ApiError } from '../../errors/api-error.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import { joinRecords } from '../read.ts'
import { DatabaseWriter, type DatabaseWriterOptions } from './database-writer.ts'
import { DatabaseErrors } from './errors.ts'
import { classifyCountQuery, classifyRowQuery } from '../is-cheap-query.ts'
import { OpenSnapshots } from './open-snapshots.ts'
import { Pages } from './pages.ts'
import { QueryWorker } from './query-worker.ts'
import { QueryWorkers } from './query-workers.ts'
import { SnapshotReader } from './snapshot-reader.ts'
import { Streams } from './streams.ts'
import { runJournaled } from '../export/journal-transactions.ts'
import { ActiveCompanies } from '../active-companies.ts'
import type { SqlValues, Statement } from '../statement.ts'
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

export interface SqliteOptions
  extends
    Pick<DatabaseWriterOptions, 'path' | 'onCommit'>,
    Partial<Pick<DatabaseWriterOptions, 'isGrouping' | 'logBytesMax'>> {
  /** Called once when the file may be corrupt; the process should exit. */
  readonly onStorageError?: (error: unknown) => void
  readonly hadUncleanShutdown: boolean
  /** Called when the file is closed, with whether no problem was found. */
  readonly onClose?: (isSound: boolean) => void
  readonly timeLimits?: TimeLimits
}

export class SqliteStore implements Store {
  readonly dialect = 'sqlite'
  readonly hadUncleanShutdown: boolean
  readonly #options: SqliteOptions
  readonly #errors: DatabaseErrors
  readonly #writer: DatabaseWriter
  readonly #reader: SnapshotReader
  readonly #pages: Pages
  readonly #streams: Streams
  readonly #workers: QueryWorkers
  readonly #companies = new ActiveCompanies()
  #isClosing = false
  #journal: CommitJournal | null = null
  /** After an unclean shutdown, false until the pages have been checked. */
  #isSound: boolean
  #checker: QueryWorker | null = null

  constructor(options: SqliteOptions) {
    const { path, onCommit, timeLimits: limits = null } = options
    this.#options = options
    this.hadUncleanShutdown = options.hadUncleanShutdown
    this.#isSound = !options.hadUncleanShutdown
    const errors = new DatabaseErrors(options.onStorageError)
    this.#errors = errors
    const snapshots = new OpenSnapshots({
      beforeFirst: () => this.#writer.shortenLog(),
      onEmpty: () => {
        if (!this.#isClosing) this.#writer.truncateLongLog()
      },
    })
    this.#writer = new DatabaseWriter({
      path,
      errors,
      snapshots,
      endRead: () => this.#reader.endTick(),
      onCommit,
      isGrouping: options.isGrouping ?? true,
      logBytesMax: options.logBytesMax ?? logBytesMax,
    })
    this.#reader = new SnapshotReader(path, errors)
    const waitMs = limits?.readMs ?? null
    const requests = () => this.#reader.reads + this.#writer.load().operationsCommitted
    this.#streams = new Streams({ path, errors, snapshots, waitMs, requests })
    this.#pages = new Pages(this.#reader, this.#streams, waitMs)
    const toError = (error: unknown) => errors.map(error, 'not_applied')
    this.#workers = new QueryWorkers({ path, limits, snapshots, companies: this.#companies, toError })
  }

  all<Row>(statement: Statement<Row>, values: SqlValues): Row[] {
    return this.#reader.read((connection) => connection.all(statement, values))
  }

  first<Row>(statement: Statement<Row>, values: SqlValues): Row | undefined {
    return this.#reader.first(statement, values)
  }

  inTransaction<T>(
    companyId: CompanyId,
    work: (transaction: Transaction) => Awaitable<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    this.#companies.add(companyId)
    const run = (journaled: typeof work) =>
      this.#writer.enqueue((group) => {
        const transaction = group.getTransaction(companyId)
        return transaction instanceof Promise ? transaction.then(journaled) : journaled(transaction)
      }, options)
    return this.#journal === null || options.isReplay === true
      ? run(work)
      : runJournaled(this.#journal, companyId, work, run)
  }

  journalCommits(journal: CommitJournal): void {
    this.#journal = journal
  }

  inSystemTransaction<T>(work: (writer: Writer) => Awaitable<T>) {
    return this.#writer.enqueue((group) => work(group.writer))
  }

  readRows(plan: ReadPlan, format: RowFormat, client?: RequestClient): Awaitable<QueryResult> {
    this.#companies.add(plan.companyId)
    return this.#pages.classify(plan, client, classifyRowQuery, (kind) =>
      kind === null ? this.#workers.rows(plan, format, client) : this.#pages.readRows(plan, kind, format, client),
    )
  }

  readJson(plan: ReadPlan, client?: RequestClient): Awaitable<JsonQueryResult> {
    this.#companies.add(plan.companyId)
    return this.#pages.classify(plan, client, classifyRowQuery, (kind) =>
      kind === null
        ? this.#workers.rows(plan, 'json', client).then(joinRecords)
        : this.#pages.readJson(plan, kind, client),
    )
  }

  count(plan: ReadPlan, client?: RequestClient): Awaitable<number> {
    this.#companies.add(plan.companyId)
    return this.#pages.classify(plan, client, classifyCountQuery, (kind) =>
      kind === null ? this.#workers.count(plan, client) : this.#pages.count(plan, kind, client),
    )
  }

  reports(companyId: CompanyId, client?: RequestClient): Reader {
    this.#companies.add(companyId)
    if (this.#reader.sizes.pages() <= smallPages) return this.#pages.reports(companyId, client)
    const all = async <Row>(statement: Statement<Row>, values: SqlValues) => {
      const read = this.#reader.read((connection) => connection.rowReader(statement))
      const rows: Row[] = []
      for await (const chunk of this.#workers.chunks(companyId, statement, values, client))
        for (const row of chunk) rows.push(read(row))
      return rows
    }
    const first: Reader['first'] = async (statement, values) => (await all(statement, values))[0]
    return { dialect: this.dialect, all, first }
  }

  snapshotVersion(): number {
    return this.#reader.version()
  }

  get health(): Reader {
    return this
  }

  ping(): void {
    if (this.#errors.isBroken) throw new ApiError('DatabaseUnavailable')
    this.#reader.read((connection) => connection.raw.prepare('select 1').get())
  }

  load(): StoreLoad {
    const { processes, idle, waiting } = this.#workers.load()
    const streams = this.#streams.load()
    return {
      ...this.#writer.load(),
      streamsOpen: streams.open,
      connectionsOpen: 2 + streams.open + streams.idle + processes,
      connectionsIdle: streams.idle + idle,
      connectionsAwaited: streams.waiting + waiting,
    }
  }

  /** In a process of its own, because it may take minutes. */
  async checkIntegrity(): Promise<readonly string[]> {
    this.#checker = new QueryWorker(this.#options.path)
    try {
      const { rows } = await this.#checker.send({ sql: 'pragma quick_check(10)', values: [] }, null)
      const findings = rows.map(([finding]) => String(finding)).filter((finding) => finding !== 'ok')
      this.#isSound = findings.length === 0
      return findings
    } catch (error) {
      if (error instanceof SqliteError) return [error.message]
      throw error
    } finally {
      this.#checker.terminate()
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#checker?.terminate()
    this.#workers.close()
    await this.#writer.finish()
    this.#streams.close()
    this.#reader.close()
    this.#writer.close()
    this.#options.onClose?.(this.#isSound && !this.#errors.isBroken)
  }
}

/** A report on a file of at most so many pages takes some 50 ms, less than the start of a worker. */
const smallPages = 2500

/** With the largest list, which may be committed after it: 256 MiB. */
const logBytesMax = 224 * 1024 * 1024
