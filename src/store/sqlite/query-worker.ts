// A process that reads for the server: one statement at a time, in pieces, and it can be killed at any moment.
import { fork, type ChildProcess } from 'node:child_process'
import { Worker } from 'node:worker_threads'
import { SqliteError } from 'better-sqlite3'
import { Fault } from '../../errors/catalog.ts'
import { isPiece, lengthOf } from '../stream-chunk.ts'
import { connect } from './connection.ts'
import type { SqlValue } from '../../engine/sql/dialect.ts'
import { outOfRangeMark, sumOutOfRange } from '../../engine/sql/sum-out-of-range.ts'
import { tooCostly, type TimeLimits } from '../time-limits.ts'

/** What the process is told: to begin, or to go on. */
export type Asked = { readonly sql: string; readonly values: readonly SqlValue[] } | 'more'

interface Piece {
  readonly rows: SqlValue[][]
  readonly isLast: boolean
}

/** What it answers; an error of the engine travels in its parts. */
type Answer = Piece | { readonly code: string; readonly message: string }

export class ReadingProcess {
  /** Alive, and between two reads. */
  isUsable = false
  readonly #child: ChildProcess
  readonly #ready: Promise<Answer>
  #awaited: PromiseWithResolvers<Answer> | null = null
  #isGone = false
  #rest: NodeJS.Timeout | undefined

  constructor(path: string) {
    this.#child = fork(import.meta.filename, [task, path, String(process.pid)], {
      stdio: 'ignore',
      serialization: 'advanced',
    })
    const leave = () => {
      this.#isGone = true
      this.isUsable = false
      this.#awaited?.reject(unavailable())
    }
    this.#child.on('message', (answer: Answer) => this.#awaited?.resolve(answer))
    this.#child.on('error', leave).on('exit', leave)
    this.#ready = this.#answer()
    this.#ready.catch(() => {})
  }

  /** Throws `ReadTooCostly` where no answer comes in time, and the process is gone then. */
  async ask(asked: Asked, limits: TimeLimits | null): Promise<Piece> {
    clearTimeout(this.#rest)
    this.isUsable = false
    await this.#ready
    const answer = this.#answer()
    const timer =
      limits === null ? undefined : setTimeout(() => this.abort(tooCostly(limits)), limits.readMs)
    try {
      if (!this.#isGone) this.#child.send(asked)
      const given = await answer
      this.isUsable = !('rows' in given) || given.isLast
      if ('rows' in given) return given
      throw given.code === outOfRangeMark
        ? sumOutOfRange()
        : new SqliteError(given.message, given.code)
    } finally {
      clearTimeout(timer)
    }
  }

  endAfter(ms: number, isEnding: () => void): void {
    this.#rest = setTimeout(() => {
      isEnding()
      this.end()
    }, ms).unref()
  }

  /** Kills the process; the read under way fails with this error. */
  abort(error: Fault): void {
    this.#awaited?.reject(error)
    this.end()
  }

  end(): void {
    clearTimeout(this.#rest)
    this.#child.kill('SIGKILL')
  }

  #answer(): Promise<Answer> {
    this.#awaited = Promise.withResolvers<Answer>()
    if (this.#isGone) this.#awaited.reject(unavailable())
    return this.#awaited.promise
  }
}

function unavailable() {
  return new Fault('DatabaseUnavailable', { headers: { 'Retry-After': '1' } })
}

const task = 'dagsverk reading'

/** Here begins what the process does. */
function serve(path: string, tell: (answer: Answer) => void): void {
  const { raw } = connect(path, 'reader')
  let rows: Iterator<SqlValue[]> | null = null
  process.on('message', (asked: Asked) => {
    try {
      if (asked !== 'more')
        rows = raw
          .prepare<SqlValue[], SqlValue[]>(asked.sql)
          .raw(true)
          .iterate(...asked.values)
      tell(pieceOf(rows))
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      tell({ message, code: codeOf(error) })
    }
  })
  tell({ rows: [], isLast: true })
}

function pieceOf(from: Iterator<SqlValue[]> | null): Piece {
  const rows: SqlValue[][] = []
  let length = 0
  while (!isPiece(rows.length, length)) {
    const next = from?.next()
    if (next === undefined || next.done === true) return { rows, isLast: true }
    rows.push(next.value)
    length += lengthOf(next.value)
  }
  return { rows, isLast: false }
}

/** A sum out of range is the one refusal that comes out of a statement. */
function codeOf(error: unknown): string {
  if (error instanceof Fault) return outOfRangeMark
  return error instanceof SqliteError ? error.code : 'UNKNOWN'
}

/** A read that nobody waits for any more would go on for days: whoever sees the server gone ends it. */
function watch(server: number): void {
  const text = `setInterval(() => process.ppid === ${server} || process.kill(process.pid, 'SIGKILL'), 1000)`
  new Worker(text, { eval: true }).unref()
}

const [, program, wanted, path, server] = process.argv
if (program === import.meta.filename && wanted === task && path !== undefined) {
  // At a terminal these come to everybody, and the server answers what it has begun.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  watch(Number(server))
  serve(path, (answer) => process.send?.(answer))
}
