// Query worker: a process that runs one read statement at a time, in chunks, and can be killed.
import { fork, type ChildProcess } from 'node:child_process'
import { Worker } from 'node:worker_threads'
import { SqliteError } from 'better-sqlite3'
import { ApiError } from '../../errors/api-error.ts'
import { isChunkFull, rowLength } from '../stream-chunk.ts'
import { connect } from './connection.ts'
import type { SqlValue } from '../../engine/sql/dialect.ts'
import { outOfRangePrefix, sumOutOfRangeError } from '../../engine/sql/sum-out-of-range.ts'
import { readTooCostlyError, type TimeLimits } from '../time-limits.ts'

/** A statement to run, or a request for its next chunk. */
export type WorkerRequest = { readonly sql: string; readonly values: readonly SqlValue[] } | 'more'

interface RowChunk {
  readonly rows: SqlValue[][]
  readonly isLast: boolean
}

/** A chunk of rows, or the code and message of an error. */
type WorkerReply = RowChunk | { readonly code: string; readonly message: string }

export class QueryWorker {
  /** Whether the process is running, and idle. */
  isUsable = false
  readonly #child: ChildProcess
  readonly #ready: Promise<WorkerReply>
  #pending: PromiseWithResolvers<WorkerReply> | null = null
  #hasExited = false
  #idleTimer: NodeJS.Timeout | undefined

  constructor(path: string) {
    this.#child = fork(import.meta.filename, [task, path, String(process.pid)], {
      stdio: 'ignore',
      serialization: 'advanced',
    })
    const onExit = () => {
      this.#hasExited = true
      this.isUsable = false
      this.#pending?.reject(unavailable())
    }
    this.#child.on('message', (reply: WorkerReply) => this.#pending?.resolve(reply))
    this.#child.on('error', onExit).on('exit', onExit)
    this.#ready = this.#nextReply()
    this.#ready.catch(() => {})
  }

  /** Throws `QueryTooExpensive` and kills the process where no reply comes in time. */
  async send(request: WorkerRequest, limits: TimeLimits | null): Promise<RowChunk> {
    clearTimeout(this.#idleTimer)
    this.isUsable = false
    await this.#ready
    const pending = this.#nextReply()
    const timer =
      limits === null
        ? undefined
        : setTimeout(() => this.abort(readTooCostlyError(limits)), limits.readMs)
    try {
      if (!this.#hasExited) this.#child.send(request)
      const reply = await pending
      this.isUsable = !('rows' in reply) || reply.isLast
      if ('rows' in reply) return reply
      throw reply.code === outOfRangePrefix
        ? sumOutOfRangeError()
        : new SqliteError(reply.message, reply.code)
    } finally {
      clearTimeout(timer)
    }
  }

  terminateAfter(ms: number, onEnd: () => void): void {
    this.#idleTimer = setTimeout(() => {
      onEnd()
      this.terminate()
    }, ms).unref()
  }

  /** Kills the process; the current read fails with this error. */
  abort(error: ApiError): void {
    this.#pending?.reject(error)
    this.terminate()
  }

  terminate(): void {
    clearTimeout(this.#idleTimer)
    this.#child.kill('SIGKILL')
  }

  #nextReply(): Promise<WorkerReply> {
    this.#pending = Promise.withResolvers<WorkerReply>()
    if (this.#hasExited) this.#pending.reject(unavailable())
    return this.#pending.promise
  }
}

function unavailable() {
  return new ApiError('DatabaseUnavailable', { headers: { 'Retry-After': '1' } })
}

const task = 'dagsverk query worker'

/** The main function of the process. */
function runWorker(path: string, reply: (reply: WorkerReply) => void): void {
  const { raw } = connect(path, 'reader')
  let rows: Iterator<SqlValue[]> | null = null
  process.on('message', (request: WorkerRequest) => {
    try {
      if (request !== 'more')
        rows = raw
          .prepare<SqlValue[], SqlValue[]>(request.sql)
          .raw(true)
          .iterate(...request.values)
      reply(nextChunk(rows))
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      reply({ message, code: codeOf(error) })
    }
  })
  reply({ rows: [], isLast: true })
}

function nextChunk(from: Iterator<SqlValue[]> | null): RowChunk {
  const rows: SqlValue[][] = []
  let length = 0
  while (!isChunkFull(rows.length, length)) {
    const next = from?.next()
    if (next === undefined || next.done === true) return { rows, isLast: true }
    rows.push(next.value)
    length += rowLength(next.value)
  }
  return { rows, isLast: false }
}

/** A sum out of range is the only API error that a statement throws. */
function codeOf(error: unknown): string {
  if (error instanceof ApiError) return outOfRangePrefix
  return error instanceof SqliteError ? error.code : 'UNKNOWN'
}

/** Kills the process when the server has exited: an abandoned read could run for days. */
function exitWithServer(server: number): void {
  const text = `setInterval(() => process.ppid === ${server} || process.kill(process.pid, 'SIGKILL'), 1000)`
  new Worker(text, { eval: true }).unref()
}

const [, program, requestedTask, path, server] = process.argv
if (program === import.meta.filename && requestedTask === task && path !== undefined) {
  // A terminal sends these to every process, but the server finishes its requests first.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  exitWithServer(Number(server))
  runWorker(path, (reply) => process.send?.(reply))
}
