// Checkpointer: copies the write-ahead log into the database file, on a thread of its own.
import { Worker } from 'node:worker_threads'
import { SqliteError } from 'better-sqlite3'
import type { CheckpointResult } from './checkpoint-thread.ts'

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
    const thread = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), { workerData: this.#path })
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
