// Thread program: runs the statements of a database thread, one after the other.
import { parentPort, workerData } from 'node:worker_threads'
import type { SqlValue } from '../../engine/sql/dialect.ts'
import { connect, type Connection, type StatementResult } from './connection.ts'
import { describeError, type ErrorDescription } from './errors.ts'
import { assertInode } from './files-in-place.ts'

/** What the thread is started with. */
export interface ThreadData {
  readonly path: string
  /** Of the file that the server has open. */
  readonly inode: number
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

/** The rows as a JSON array, which takes less than half of the time of a structured clone. No table has binary columns. */
export interface ThreadResult extends Pick<StatementResult, 'changes'> {
  readonly rows: string
}

/** To the requests of one message. */
export type ThreadReply = readonly (ThreadResult | ErrorDescription)[]

const { path, inode, logBytesKept } = workerData as ThreadData
let connection: Connection | undefined

/** By its path: the write-ahead log would be copied into a file that is there instead, and deleted. */
function open(): Connection {
  assertInode(path, inode)
  const opened = connect(path, 'long')
  opened.setBusyTimeout(0)
  opened.disableAutoCheckpoint(logBytesKept)
  return opened
}

/** The error that ended the last transaction: statements that were sent with the one that failed fail for the same reason. */
let endingError: unknown = new Error('the transaction has ended')

function execute({ sql, values, isFirstOnly, needsTransaction }: ThreadRequest): ThreadResult | ErrorDescription {
  try {
    connection ??= open()
    if (needsTransaction && !connection.raw.inTransaction) throw endingError
    const { rows, changes } = connection.execute(sql, values, isFirstOnly)
    return { rows: JSON.stringify(rows), changes }
  } catch (error) {
    if (needsTransaction && connection?.raw.inTransaction === false) endingError = error
    return describeError(error)
  }
}

parentPort?.on('message', (requests: readonly ThreadRequest[]) => {
  const reply: ThreadReply = requests.map(execute)
  parentPort?.postMessage(reply, [])
})
