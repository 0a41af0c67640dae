// Database thread: a thread with a connection of its own, for what would block this one.
import { Worker } from 'node:worker_threads'
import { toDescribedError } from './errors.ts'
import type { ThreadData, ThreadReply, ThreadRequest, ThreadResult } from './thread-program.ts'

export class DatabaseThread {
  readonly #data: ThreadData
  /** Started by the first statement, because many processes never need one. */
  #thread: Worker | null = null
  /** The statements that are not done, in their order. */
  readonly #pending: PromiseWithResolvers<ThreadResult>[] = []
  /** Those that share the next message. */
  #unsent: ThreadRequest[] = []

  constructor(data: ThreadData) {
    this.#data = data
  }

  /** Statements of one turn share a message, and run in their order whether one fails or not. */
  request(request: ThreadRequest): Promise<ThreadResult> {
    const pending = Promise.withResolvers<ThreadResult>()
    this.#pending.push(pending)
    this.#unsent.push(request)
    if (this.#unsent.length === 1) queueMicrotask(() => this.#sendMessage())
    return pending.promise
  }

  /** A statement without values that is no part of a transaction, or begins or ends one. */
  async exec(sql: string): Promise<void> {
    await this.request({ sql, values: [], isFirstOnly: false, needsTransaction: false })
  }

  /**
   * Copies the pages of every commit into the database file, unless a reader needs the older ones: a passive checkpoint,
   * which delays no other connection.
   */
  checkpoint(): Promise<void> {
    return this.exec('pragma wal_checkpoint(passive)')
  }

  /** Ends the thread; no statement may be running. */
  async close(): Promise<void> {
    await this.#thread?.terminate()
  }

  #sendMessage(): void {
    const requests = this.#unsent
    this.#unsent = []
    if (requests.length === 0) return
    try {
      const thread = (this.#thread ??= this.#start())
      // The process must not end before the reply, and may end before the thread.
      thread.ref()
      thread.postMessage(requests, [])
    } catch (error) {
      // The machine may have no thread left. One that is running is in an unknown state.
      void this.#thread?.terminate()
      this.#end(error)
    }
  }

  #receive(results: ThreadReply): void {
    for (const result of results) {
      const pending = this.#pending.shift()
      if ('code' in result) pending?.reject(toDescribedError(result))
      else pending?.resolve(result)
    }
    if (this.#pending.length === 0) this.#thread?.unref()
  }

  #start(): Worker {
    const thread = new Worker(new URL('./thread-program.ts', import.meta.url), { workerData: this.#data })
    const end = (error: Error) => {
      if (this.#thread === thread) this.#end(error)
    }
    return thread
      .on('message', (reply: ThreadReply) => this.#receive(reply))
      .on('error', end)
      .on('exit', () => end(new Error('the thread of the database ended')))
  }

  /** The next statement starts another thread. */
  #end(error: unknown): void {
    this.#thread = null
    this.#unsent = []
    for (const pending of this.#pending.splice(0)) pending.reject(error)
  }
}
