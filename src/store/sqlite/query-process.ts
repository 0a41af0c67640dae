// Query process: the program of a query worker, which reads the rows of a statement in chunks.
import { Worker } from 'node:worker_threads'
import type { SqlValue } from '../../engine/sql/dialect.ts'
import { isChunkFull, rowLength } from '../stream-chunk.ts'
import { connect } from './connection.ts'
import { describeError, type ErrorDescription } from './errors.ts'

/** A statement to run, or a request for its next chunk. */
export type WorkerRequest = { readonly sql: string; readonly values: readonly SqlValue[] } | 'more'

export interface RowChunk {
  readonly rows: SqlValue[][]
  readonly isLast: boolean
}

export type WorkerReply = RowChunk | ErrorDescription

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
      reply(describeError(error))
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

/** Kills the process when the server has exited: an abandoned read could run for days. */
function exitWithServer(server: number): void {
  const text = `setInterval(() => process.ppid === ${server} || process.kill(process.pid, 'SIGKILL'), 1000)`
  new Worker(text, { eval: true }).unref()
}

const [, , path = '', server] = process.argv
// A terminal sends these to every process, but the server finishes its requests first.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
exitWithServer(Number(server))
runWorker(path, (reply) => process.send?.(reply))
