// Statement recorder: what this process sends to its database drivers, with the bound values.
import { Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { Query } from 'pg'
import { nextTurn } from '../../src/lib/yield-to-event-loop.ts'

export interface RecordedStatement {
  readonly sql: string
  readonly values: readonly unknown[]
  /** Whether it ran on the thread of long operations. */
  readonly isOnThread?: boolean
}

/** The lists grow until the recording is stopped. */
export interface StatementRecording {
  /** Each execution, also of statements without rows such as `begin`. */
  readonly executed: readonly RecordedStatement[]
  /** Each text that SQLite compiled, as often as it did; on PostgreSQL each that was sent. */
  readonly compiled: readonly string[]
  stop(): void
}

export function recordStatements(): StatementRecording {
  const executed: RecordedStatement[] = []
  const compiled: string[] = []
  const recordText = (text: unknown, values: readonly unknown[] = []) => {
    compiled.push(String(text))
    executed.push({ sql: String(text), values })
  }
  const restorers = [
    ...['run', 'get', 'all', 'iterate'].map((name) =>
      observeCalls(sqliteStatement, name, (statement, values) => {
        executed.push({ sql: (statement as Database.Statement).source, values: values.flat() })
      }),
    ),
    observeCalls(Worker.prototype, 'postMessage', (_, [requests]) => {
      for (const { sql, values } of requests as RecordedStatement[]) executed.push({ sql, values, isOnThread: true })
    }),
    observeCalls(Database.prototype, 'prepare', (_, [text]) => {
      compiled.push(String(text))
    }),
    observeCalls(Database.prototype, 'exec', (_, [text]) => recordText(text)),
    observeCalls(Query.prototype, 'submit', (query) => {
      const { text, values } = query as SubmittedQuery
      recordText(text, values ?? [])
    }),
  ]
  return {
    executed,
    compiled,
    stop: () => {
      for (const restore of restorers) restore()
    },
  }
}

/** The statements of the work, with the snapshots and commits that end after it. */
export async function recordStatementsOf(work: () => Promise<unknown>): Promise<StatementRecording> {
  const recording = recordStatements()
  try {
    await work()
    for (let turn = 0; turn < 3; turn++) await nextTurn()
  } finally {
    recording.stop()
  }
  return recording
}

/** What `pg` sends; its types do not have the members. */
interface SubmittedQuery {
  readonly text: string
  readonly values?: readonly unknown[] | null
}

/** The class of prepared statements, which better-sqlite3 does not export. */
const sqliteStatement = (() => {
  const memory = new Database(':memory:')
  const prototype: object = Object.getPrototypeOf(memory.prepare('select 1'))
  memory.close()
  return prototype
})()

/** Calls `observe` before each call of the method, until the returned function restores it. */
export function observeCalls(
  target: object,
  name: string,
  observe: (receiver: unknown, values: readonly unknown[]) => void,
): () => void {
  const original = Reflect.get(target, name) as (...values: unknown[]) => unknown
  const observed = function (this: unknown, ...values: unknown[]) {
    observe(this, values)
    return Reflect.apply(original, this, values)
  }
  if (!Reflect.set(target, name, observed)) throw new Error(`${name} cannot be replaced`)
  return () => void Reflect.set(target, name, original)
}
