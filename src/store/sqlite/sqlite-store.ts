// The embedded store: one writer with group commit, one reader with a snapshot per tick, streams apart.
import { Fault } from '../../errors/catalog.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import {
  countStatement,
  countUpToStatement,
  inOneText,
  pageStatement,
  readValues,
  rowsInOneText,
  rowStatement,
} from '../read.ts'
import { ActFailed, runGuarded, runTogether, type WaitingAct } from '../transaction-batch.ts'
import { connect, type Connection } from './connection.ts'
import { Group } from './write-batch.ts'
import { nextTick } from '../../lib/yield-to-event-loop.ts'
import { startQuickCheck, type QuickCheck } from './quick-check.ts'
import { isStorageError, sqliteFault } from './errors.ts'
import { lightnessOfCount, lightnessOfRows, recordsMax, type Sizes } from './is-cheap-query.ts'
import { SlowReads } from './query-workers.ts'
import { isPiece, lengthOf } from '../stream-chunk.ts'
import type { SqlValue } from '../../engine/sql/dialect.ts'
import type { SqlValues, Statement } from '../statement.ts'
import { ReadSlots } from '../read-slots.ts'
import type {
  Awaitable,
  Client,
  JsonRows,
  Rows,
  Store,
  StoreLoad,
  Transaction,
  Writer,
  RowForm,
} from '../store.ts'
import type { TimeLimits } from '../time-limits.ts'

export interface SqliteOptions {
  readonly path: string
  /** Told once when the file cannot be trusted any more; the process should end. */
  readonly onStorageError?: (error: unknown) => void
  readonly isSuspect: boolean
  /** Told when the file is let go of, and whether nothing was found wrong with it. */
  readonly onClose?: (isSound: boolean) => void
  /** False: one commit for every act instead of one for all that wait; for comparison in the benchmark. */
  readonly isGrouping?: boolean
  readonly timeLimits?: TimeLimits
}

export class SqliteStore implements Store {
  readonly dialect = 'sqlite'
  readonly isSuspect: boolean
  readonly #options: SqliteOptions
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #streams: Connection[] = []
  readonly #slow: SlowReads
  readonly #streamSlots: ReadSlots
  readonly #sizes: Sizes = {
    pages: () => this.#reader.pages(),
    isFew: (plan) => this.#countUpTo(plan, recordsMax + 1) <= recordsMax,
  }
  #isReading = false
  #waiting: WaitingAct<Group>[] = []
  #isCommitting = false
  #commits = 0
  #actsCommitted = 0
  #isBroken = false
  /** A suspect file is sound when its pages were looked through. */
  #isSound: boolean
  #check: QuickCheck | null = null

  constructor(options: SqliteOptions) {
    this.#options = options
    this.isSuspect = options.isSuspect
    this.#isSound = !options.isSuspect
    this.#writer = connect(options.path, 'writer')
    this.#writer.keepLog()
    this.#reader = connect(options.path, 'reader')
    const waitMs = options.timeLimits?.readMs ?? null
    this.#streamSlots = new ReadSlots({ count: streamsMax, waitMs })
    this.#slow = new SlowReads({
      path: options.path,
      limits: options.timeLimits ?? null,
      refusal: (error) => this.#refusal(error, 'not_applied'),
    })
  }

  all<Row>(statement: Statement<Row>, values: SqlValues): Row[] {
    return this.#read((connection) => connection.all(statement, values))
  }

  first<Row>(statement: Statement<Row>, values: SqlValues): Row | undefined {
    return this.#read((connection) => connection.first(statement, values))
  }

  inTransaction<T>(companyId: CompanyId, act: (transaction: Transaction) => Awaitable<T>) {
    return this.#enqueue(async (group) => {
      const counters = await group.countersOf(companyId)
      return act({ ...group.writer, companyId, counters })
    })
  }

  inHouseTransaction<T>(act: (writer: Writer) => Awaitable<T>) {
    return this.#enqueue((group) => act(group.writer))
  }

  readRows(plan: ReadPlan, form: RowForm, client?: Client): Awaitable<Rows> {
    if (lightnessOfRows(plan, this.#sizes) === null) return this.#slow.rows(plan, form, client)
    const limit = pageLimit(plan)
    const statement = rowStatement(plan, form)
    const rows = this.#read((connection) =>
      connection.rows(statement, { ...readValues(plan), limit }),
    )
    const isWhole = rows.length < limit || limit === plan.top
    return isWhole ? { whole: rows } : { batches: this.#batches(plan, form, client) }
  }

  readJson(plan: ReadPlan, client?: Client): Awaitable<JsonRows> {
    if (lightnessOfRows(plan, this.#sizes) === null)
      return this.#slow.rows(plan, 'json', client).then(rowsInOneText)
    const limit = pageLimit(plan)
    const page = this.first(pageStatement(plan), { ...readValues(plan), limit })
    const { count, records } = page ?? emptyPage
    const isWhole = count < limit || limit === plan.top
    if (isWhole) return { whole: records ?? '' }
    return { batches: inOneText(this.#batches(plan, 'json', client)) }
  }

  count(plan: ReadPlan, client?: Client): Awaitable<number> {
    if (lightnessOfCount(plan, this.#sizes) === null) return this.#slow.count(plan, client)
    return this.first(countStatement(plan), readValues(plan))?.count ?? 0
  }

  ping(): void {
    if (this.#isBroken) throw new Fault('DatabaseUnavailable')
    this.#read((connection) => connection.raw.prepare('select 1').get())
  }

  load(): StoreLoad {
    const { processes, idle, waiting } = this.#slow.load()
    return {
      actsWaiting: this.#waiting.length,
      streamsOpen: this.#streamSlots.inUse,
      commits: this.#commits,
      actsCommitted: this.#actsCommitted,
      connectionsOpen: 2 + this.#streamSlots.inUse + this.#streams.length + processes,
      connectionsIdle: this.#streams.length + idle,
      connectionsAwaited: this.#streamSlots.waiting + waiting,
    }
  }

  async examine(): Promise<readonly string[]> {
    this.#check ??= startQuickCheck(this.#options.path)
    const findings = await this.#check.findings
    this.#isSound = findings.length === 0
    return findings
  }

  async close(): Promise<void> {
    this.#check?.stop()
    this.#slow.close()
    while (this.#isCommitting || this.#waiting.length > 0) await nextTick()
    this.#endRead()
    for (const connection of [...this.#streams, this.#reader]) connection.close()
    if (!this.#isBroken) this.#unheard(() => this.#writer.raw.pragma('wal_checkpoint(TRUNCATE)'))
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
      throw this.#refusal(error, 'not_applied')
    }
  }

  #endRead(): void {
    if (!this.#isReading) return
    this.#isReading = false
    this.#unheard(() => this.#reader.exec('commit'))
  }

  /** Nobody waits for it, so a failure is told to the server alone: a damaged file may show itself even here. */
  #unheard(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#refusal(error, 'not_applied')
    }
  }

  #enqueue<T>(act: (group: Group) => Awaitable<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = async (group: Group) => {
        const value = await act(group)
        return () => resolve(value)
      }
      const fail = (error: unknown) => reject(this.#refusal(error, 'not_applied'))
      this.#waiting.push({ run, fail })
      if (!this.#isCommitting) this.#commitSoon()
    })
  }

  #commitSoon(): void {
    this.#isCommitting = true
    setImmediate(() => void this.#commitWaiting())
  }

  async #commitWaiting(): Promise<void> {
    await this.#commit(this.#waiting.splice(0, this.#options.isGrouping === false ? 1 : Infinity))
    if (!this.#isBroken && this.#writer.pagesInLog() >= logPagesMax) await this.#checkpoint()
    this.#isCommitting = false
    if (this.#waiting.length > 0) this.#commitSoon()
  }

  /** One durable commit for every act that waits; none is answered before it. */
  async #commit(acts: readonly WaitingAct<Group>[], isGuarded = false): Promise<void> {
    try {
      if (this.#isBroken) throw new Fault('StorageError')
      this.#writer.exec('begin immediate')
      const group = new Group(this.#writer)
      const answers = isGuarded
        ? await runGuarded(acts, group, group.savepoints)
        : await runTogether(acts, group)
      await group.storeCounters()
      this.#writer.exec('commit')
      this.#commits++
      this.#actsCommitted += acts.length
      // What was just stored must be seen by the reads of this very tick.
      this.#endRead()
      for (const answer of answers) answer()
    } catch (error) {
      if (this.#writer.raw.inTransaction) this.#writer.exec('rollback')
      if (error instanceof ActFailed && acts.length > 1) return this.#commit(acts, true)
      // Whether a commit that failed took hold is not known before the next start.
      const refusal = error instanceof ActFailed ? error.cause : this.#refusal(error, 'unknown')
      for (const act of acts) act.fail(refusal)
    } finally {
      this.#writer.cacheAgain()
    }
  }

  /** Once what was committed is answered, and whoever came meanwhile was served: it may take as long as the commit. */
  async #checkpoint(): Promise<void> {
    await nextTick()
    await nextTick()
    try {
      this.#writer.checkpoint()
    } catch (error) {
      // Nothing is lost, for the log has it all; an error of the disk stops the writing.
      this.#refusal(error, 'not_applied')
    }
  }

  #countUpTo(plan: ReadPlan, limit: number): number {
    return this.first(countUpToStatement(plan), { ...readValues(plan), limit })?.count ?? 0
  }

  /** On a connection of its own, whose open statement holds the snapshot. */
  async *#batches(
    plan: ReadPlan,
    form: RowForm,
    client: Client | undefined,
  ): AsyncGenerator<SqlValue[][]> {
    const release = await this.#streamSlots.acquire(plan.companyId, client)
    let connection: Connection | undefined
    try {
      connection = this.#streams.pop() ?? connect(this.#options.path, 'stream')
      let batch: SqlValue[][] = []
      let length = 0
      const values = { ...readValues(plan), limit: plan.top ?? -1 }
      for (const row of connection.iterate(rowStatement(plan, form), values)) {
        batch.push(row)
        length += lengthOf(row)
        if (!isPiece(batch.length, length)) continue
        yield batch
        batch = []
        length = 0
        await nextTick()
      }
      if (batch.length > 0) yield batch
    } catch (error) {
      throw this.#refusal(error, 'not_applied')
    } finally {
      if (connection !== undefined) this.#streams.push(connection)
      release()
    }
  }

  #refusal(error: unknown, outcome: 'not_applied' | 'unknown'): unknown {
    if (isStorageError(error) && !this.#isBroken) {
      this.#isBroken = true
      this.#options.onStorageError?.(error)
    }
    return sqliteFault(error, outcome) ?? error
  }
}

/** How many rows are read at once, to see whether there are more. */
function pageLimit({ top, apply }: ReadPlan): number {
  if (top !== null && top <= pageRowsMax) return top
  // What is worked out from many records is not worked out twice.
  return apply === null ? probeRows : pageRowsMax
}

const emptyPage = { count: 0, records: null }

/** An answer that has no `$top` and is longer than this becomes a stream. */
const probeRows = 1000
/** The largest page that is read in one go; longer ones are streamed. */
const pageRowsMax = 10_000
const streamsMax = 8
/** Pages of 4 KiB that wait in the log, as many as SQLite's own checkpoints let wait. */
const logPagesMax = 1000
