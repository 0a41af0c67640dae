// Thread program: runs the statements of a database thread, one after the other.
import { parentPort, workerData } from 'node:worker_threads'
import type { SqlValue } from '../../engine/sql/dialect.ts'
import { connect, type StatementResult } from './connection.ts'
import { describeError, type ErrorDescription } from './errors.ts'

/** What the thread is started with. */
export interface ThreadData {
  readonly path: string
  /** The size of the file of the write-ahead log that is kept. */
  readonly logBytesKept: number
}

export interface ThreadRequest {
  readonly sql: string
  readonly values: readonly SqlValue[]
  readonly isFirstOnly: boolean
  /** Whether it must not run by itself: after some errors there is no transaction any more. */
  readonly needsTransaction: boolean
}

/** To the requests of one message. */
export type ThreadReply = readonly (StatementResult | ErrorDescription)[]

const { path, logBytesKept } = workerData as ThreadData
const connection = connect(path, 'long')
connection.disableAutoCheckpoint()
connection.setBusyTimeout(0)
connection.limitLogFile(logBytesKept)

function execute({ sql, values, isFirstOnly, needsTransaction }: ThreadRequest): StatementResult | ErrorDescription {
  try {
    if (needsTransaction && !connection.raw.inTransaction) throw new Error('the transaction has ended')
    return connection.execute(sql, values, isFirstOnly)
  } catch (error) {
    return describeError(error)
  }
}

parentPort?.on('message', (requests: readonly ThreadRequest[]) => {
  const reply: ThreadReply = requests.map(execute)
  parentPort?.postMessage(reply, [])
})
