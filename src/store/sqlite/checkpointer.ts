// Checkpointer: copies the write-ahead log into the database file, on a thread of its own.
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import Database, { SqliteError } from 'better-sqlite3'

/** What a checkpoint failed with, as SQLite says it; null for a checkpoint that succeeded. */
type CheckpointResult = { readonly code: string; readonly message: string } | null

export class Checkpointer {
  readonly #path: string
  /** Started by the first checkpoint, because many processes never need one. */
  #thread: Worker | null = null
  #running: PromiseWithResolvers<void> | null = null

  constructor(path: string) {
    this.#path = path
  }

  /**
   * Copies the pages of every commit, unless a reader needs the older ones: a passive checkpoint, which delays no other
   * connection. One at a time. Rejects with an error of SQLite.
   */
  async run(): Promise<void> {
    const thread = (this.#thread ??= this.#start())
    const running = (this.#running = Promise.withResolvers<void>())
    // The process must not end before the checkpoint, and may end before the thread.
    thread.ref()
    thread.postMessage('run', [])
    try {
      await running.promise
    } finally {
      this.#running = null
      thread.unref()
    }
  }

  /** Ends the thread; no checkpoint may be running. */
  async close(): Promise<void> {
    await this.#thread?.terminate()
  }

  #start(): Worker {
    const thread = new Worker(fileURLToPath(import.meta.url), {
      workerData: { [taskName]: this.#path },
    })
    const end = (error: Error) => {
      this.#thread = null
      this.#running?.reject(error)
    }
    return thread
      .on('message', (result: CheckpointResult) => {
        if (result === null) this.#running?.resolve()
        else this.#running?.reject(new SqliteError(result.message, result.code))
      })
      .on('error', end)
      .on('exit', () => end(new Error('the thread of the checkpoints ended')))
  }
}

const taskName = 'dagsverk checkpoint'

/** Runs in the thread. */
function copyLog(database: Database.Database): CheckpointResult {
  try {
    database.pragma('wal_checkpoint(passive)')
    return null
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error
    return { code: error.code, message: error.message }
  }
}

if (!isMainThread && parentPort !== null && typeof workerData === 'object' && workerData !== null)
  if (taskName in workerData) {
    const port = parentPort
    const database = new Database(String(workerData[taskName]), { fileMustExist: true })
    // SQLite keeps a few pages of the file; a checkpoint needs none of them.
    database.pragma('cache_size = -64')
    database.pragma('synchronous = FULL')
    port.on('message', () => port.postMessage(copyLog(database), []))
  }
