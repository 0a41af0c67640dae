// Database writer: one durable commit for all operations that wait, and checkpoints between commits.
import { setTimeout } from 'node:timers/promises'
import { ApiError } from '../../errors/api-error.ts'
import { nextTurn, waitForTurns } from '../../lib/yield-to-event-loop.ts'
import type { Awaitable, StoreLoad, TransactionOptions } from '../store.ts'
import { OperationFailed, runBatch, runWithSavepoints, type PendingOperation } from '../transaction-batch.ts'
import { busyTimeoutMs, connect, type Connection } from './connection.ts'
import { DatabaseThread } from './database-thread.ts'
import { busyError, closedError, isConstraintViolation, type DatabaseErrors } from './errors.ts'
import { FilesInPlace } from './files-in-place.ts'
import type { OpenSnapshots } from './open-snapshots.ts'
import { ThreadTransaction } from './thread-transaction.ts'
import { WriteBatch } from './write-batch.ts'
import { WriterCache } from './writer-cache.ts'

export interface DatabaseWriterOptions {
  readonly path: string
  readonly errors: DatabaseErrors
  /** The reads that keep the write-ahead log from being reset. */
  readonly snapshots: OpenSnapshots
  /** Ends the read of this tick, whose snapshot is that of an earlier commit. */
  readonly endRead: () => void
  /** Called after each durable commit with the timestamp of the last change in it; 0 if it has none. */
  readonly onCommit?: ((lastChange: number) => void) | undefined
  /** Where false, every operation has its own commit; for comparison in the benchmark. */
  readonly isGrouping: boolean
  /** The size of the write-ahead log above which the oldest long read is ended. */
  readonly logBytesMax: number
}

interface WaitingOperation extends PendingOperation<WriteBatch> {
  readonly isLastOfCommit: boolean
  readonly isLong: boolean
}

export class DatabaseWriter {
  readonly #options: Pick<DatabaseWriterOptions, 'endRead' | 'onCommit' | 'isGrouping'>
  readonly #errors: DatabaseErrors
  readonly #snapshots: OpenSnapshots
  readonly #writer: Connection
  /** For long operations, and for checkpoints between commits. */
  readonly #thread: DatabaseThread
  readonly #logPagesMax: number
  readonly #cache = new WriterCache()
  readonly #files: FilesInPlace
  #waiting: WaitingOperation[] = []
  /** The size of the write-ahead log after the last commit. */
  #logPages = 0
  /** Its size at the last checkpoint. */
  #logPagesTried = 0
  /** Called after the next checkpoint. */
  #awaitingCheckpoint: (() => void)[] = []
  #isCommitting = false
  /** Whether the last commit was that of a long operation. */
  #wasLong = false
  #isFinished = false
  /** The number of operations that the previous commit was begun with. */
  #lastBatchLength = 0
  #commits = 0
  #operationsCommitted = 0

  constructor(options: DatabaseWriterOptions) {
    const { path, errors, snapshots, logBytesMax } = options
    this.#options = options
    this.#errors = errors
    this.#snapshots = snapshots
    this.#writer = connect(path, 'writer')
    this.#writer.setBusyTimeout(0)
    this.#logPagesMax = Math.floor(logBytesMax / pageBytes)
    const logBytesKept = this.#logPagesKept * pageBytes
    this.#writer.disableAutoCheckpoint(logBytesKept)
    this.#files = new FilesInPlace(path)
    this.#thread = new DatabaseThread({ path, inode: this.#files.inode, logBytesKept })
  }

  load(): Pick<StoreLoad, 'operationsWaiting' | 'commits' | 'operationsCommitted'> {
    return {
      operationsWaiting: this.#waiting.length,
      commits: this.#commits,
      operationsCommitted: this.#operationsCommitted,
    }
  }

  enqueue<T>(
    work: (group: WriteBatch) => Awaitable<T>,
    { isLastOfCommit = false, isLong = false }: TransactionOptions = {},
  ): Promise<T> {
    if (this.#isFinished) return Promise.reject(closedError())
    return new Promise((resolve, reject) => {
      const run = (group: WriteBatch) => {
        const value = work(group)
        return value instanceof Promise ? value.then((result) => () => resolve(result)) : () => resolve(value)
      }
      const fail = (error: unknown) => reject(this.#errors.map(error, 'not_applied'))
      this.#waiting.push({ run, fail, isLastOfCommit, isLong })
      if (!this.#isCommitting) this.#commitSoon()
    })
  }

  /** Resolves after the commit of the last waiting operation; later ones are rejected. */
  async finish(): Promise<void> {
    while (this.#isCommitting || this.#waiting.length > 0) await nextTurn()
    this.#isFinished = true
    await this.#thread.close()
  }

  /** Copies the whole write-ahead log into the file; no other connection may be open. */
  close(): void {
    if (!this.#errors.isBroken)
      this.#errors.runReporting(() => {
        this.#writer.setBusyTimeout(busyTimeoutMs)
        this.#writer.raw.pragma('wal_checkpoint(TRUNCATE)')
      })
    this.#writer.close()
  }

  /** When the last long read ends: a checkpoint in a turn of the writer, without a commit. */
  truncateLongLog(): void {
    if (this.#isCommitting || this.#errors.isBroken) return
    if (this.#writer.logState().log > this.#logPagesKept) this.#commitSoon()
  }

  /** Before a long read that is the only one: as long as it lasts, the log cannot be reset. Does not wait for a long list. */
  async shortenLog(): Promise<void> {
    if (this.#isFinished || this.#errors.isBroken || this.#logPages <= this.#logPagesKept / 4) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#awaitingCheckpoint.push(resolve)
    if (!this.#isCommitting) this.#commitSoon()
    await Promise.race([promise, setTimeout(shortenMs, undefined, { ref: false })])
  }

  #commitSoon(): void {
    this.#isCommitting = true
    setImmediate(() => void this.#commitWaiting())
  }

  async #commitWaiting(): Promise<void> {
    if (this.#options.isGrouping) await this.#gather()
    const operations = this.#takeOperations()
    if (operations.length > 0) {
      this.#lastBatchLength = operations.length
      await this.#commit(operations)
    }
    if (!this.#errors.isBroken) await this.#checkpointIfDue()
    // Reads that begin now need nothing of the log, so that the next commit resets it.
    if (this.#awaitingCheckpoint.length > 0) this.#options.endRead()
    for (const begin of this.#awaitingCheckpoint.splice(0)) begin()
    this.#isCommitting = false
    if (this.#waiting.length > 0) this.#commitSoon()
  }

  /** What shares the next commit: a long operation alone; between two of them the others, which so wait for one at most. */
  #takeOperations(): readonly WaitingOperation[] {
    const short = this.#waiting.filter(({ isLong }) => !isLong)
    this.#wasLong = this.#waiting[0]?.isLong === true && (short.length === 0 || !this.#wasLong)
    const last = short.findIndex(({ isLastOfCommit }) => isLastOfCommit || !this.#options.isGrouping)
    const shared = last === -1 ? short : short.slice(0, last + 1)
    const taken = new Set(this.#wasLong ? this.#waiting.slice(0, 1) : shared)
    this.#waiting = this.#waiting.filter((operation) => !taken.has(operation))
    return [...taken]
  }

  /**
   * Clients that got their replies together send their next operations within a few turns of the event loop. While each
   * turn brings more, the commit waits for them, but not for many long turns. It never waits for a client that is alone.
   */
  async #gather(): Promise<void> {
    let count = this.#waiting.length
    if ((count === 1 && this.#lastBatchLength <= 1) || count >= gatherOperationsMax) return
    await waitForTurns(gatherTurnsMax, gatherMs, () => {
      const last = count
      count = this.#waiting.length
      return count === last || count >= gatherOperationsMax
    })
  }

  /** One durable commit for all waiting operations; none is completed before it. */
  async #commit(operations: readonly WaitingOperation[], hasSavepoints = false): Promise<void> {
    const isLong = operations[0]?.isLong === true
    const connection = isLong ? new ThreadTransaction(this.#thread) : this.#writer
    try {
      if (this.#errors.isBroken) throw new ApiError('StorageError')
      await this.#begin(connection)
      if (!isLong) this.#cache.open(this.#writer.dataVersion())
      const group = new WriteBatch(connection, isLong ? new WriterCache() : this.#cache)
      const completions = hasSavepoints
        ? await runWithSavepoints(operations, group, group.savepointsOn(this.#writer))
        : await runBatch(operations, group)
      await group.saveSequences()
      await connection.commit()
      this.#options.onCommit?.(group.lastTimestamp)
      group.cacheSequences()
      this.#commits++
      this.#operationsCommitted += operations.length
      // Reads of this tick must see the commit.
      this.#options.endRead()
      for (const complete of completions) complete()
    } catch (error) {
      this.#cache.clear()
      await connection.rollBack()
      if (error instanceof OperationFailed && operations.length > 1) return this.#commit(operations, true)
      // The commit checks references, and does not say whose operation broke one: each gets a commit of its own.
      if (isConstraintViolation(error) && operations.length > 1) {
        for (const operation of operations) await this.#commit([operation])
        return
      }
      // Whether a failed commit was stored is unknown until the next start.
      const cause = error instanceof OperationFailed ? error.cause : this.#errors.map(error, 'unknown')
      for (const operation of operations) operation.fail(cause)
    }
  }

  /**
   * Waits for another process that writes, such as a command beside the server. SQLite's own wait would block this
   * process, and sleeps 0.1 s between attempts: beside a server that commits all the time it might never succeed.
   */
  async #begin(connection: Connection | ThreadTransaction): Promise<void> {
    try {
      for (let attempts = 1; !(await connection.tryBeginImmediate()); attempts++) {
        if (attempts === busyTimeoutMs / lockRetryMs) throw busyError('not_applied')
        await setTimeout(lockRetryMs)
      }
      this.#files.assert()
    } catch (error) {
      throw this.#errors.map(error, 'not_applied')
    }
  }

  /** Keeps the write-ahead log short, whatever readers do (ADR 0015). */
  async #checkpointIfDue(): Promise<void> {
    const { log, checkpointed } = this.#writer.logState()
    this.#logPages = log
    // Where a read has kept a checkpoint from resetting the log, another one is worth its time when there is as much again.
    const isHeld = !this.#snapshots.isEmpty && log <= this.#logPagesMax
    if (!isHeld || log < this.#logPagesTried) this.#logPagesTried = 0
    const isAwaited = this.#awaitingCheckpoint.length > 0
    const isDue = log - Math.max(checkpointed, this.#logPagesTried) >= (isAwaited ? 1 : checkpointPages)
    if (isDue) this.#logPagesTried = log
    if (isDue) await this.#checkpoint()
    if (isDue && log > this.#logPagesMax) await this.#endOldestReads()
    if (this.#errors.isBroken || log <= this.#logPagesKept || !this.#snapshots.isEmpty) return
    this.#errors.runReporting(() => {
      this.#options.endRead()
      this.#writer.truncateLog()
      this.#logPages = 0
    })
  }

  /** The next commit waits for it, so that the log starts again from its beginning; reads go on. */
  async #checkpoint(): Promise<void> {
    try {
      await this.#thread.checkpoint()
    } catch (error) {
      // Nothing is lost, because the write-ahead log has it; an error of the disk stops further writes.
      this.#errors.map(error, 'not_applied')
    }
  }

  /** Those that need older pages. Until the log can be reset, each commit would extend it. */
  async #endOldestReads(): Promise<void> {
    const isHeld = () => {
      const { log, checkpointed } = this.#writer.logState()
      return checkpointed < log && !this.#snapshots.isEmpty
    }
    while (isHeld()) {
      this.#snapshots.endOldest()
      await this.#checkpoint()
    }
  }

  /** The size of a log that is kept for further commits: to extend a file takes longer than to overwrite it. */
  get #logPagesKept(): number {
    return Math.floor(this.#logPagesMax / 4)
  }
}

/** Shorter than the time between two commits of a busy server. */
const lockRetryMs = 1

/** Longer than a checkpoint takes. */
const shortenMs = 1000

/** Pages in the write-ahead log before a checkpoint, the same as the default of SQLite. */
const checkpointPages = 1000
/** With its header in the log. */
const pageBytes = 4096 + 24
/** The most turns of the event loop that a commit waits for further operations. */
const gatherTurnsMax = 8
/** The same as a time: beside thousands of callers a turn takes hundreds of milliseconds. */
const gatherMs = 20
/** A commit with as many operations does not wait for more. */
const gatherOperationsMax = 256
