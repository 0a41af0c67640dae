// Shared reads: reads that begin in the same turn of the event loop share a connection and a message.
import type { Pool, PoolClient } from 'pg'

/** Completes or rejects a read; resolves to whether the connection can be used again. */
interface WaitingRead {
  readonly run: (client: PoolClient) => Promise<boolean>
  readonly reject: (error: unknown) => void
}

/**
 * A message to the database costs more than a short read. The reads of a group follow each other in one process of the
 * database, so those that may take long, or that are cancelled with their caller, have a connection each.
 */
export class SharedReads {
  readonly #pool: Pool
  /** Per company, the group that has no connection yet; null: of short reads of all companies. */
  readonly #groups = new Map<number | null, WaitingRead[]>()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** The read sends one statement, at once. */
  run<T>(companyId: number | null, read: (client: PoolClient) => Promise<T>): Promise<T> {
    let group = this.#groups.get(companyId)
    if (group === undefined || group.length === groupLengthMax) {
      const reads = (group = [])
      this.#groups.set(companyId, reads)
      setImmediate(() => void this.#runGroup(companyId, reads))
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const run = (client: PoolClient) =>
      read(client).then(
        (value) => {
          resolve(value)
          return true
        },
        (error: unknown) => {
          reject(error)
          return false
        },
      )
    group.push({ run, reject })
    return promise
  }

  /** After an error the connection is closed. */
  async #runGroup(companyId: number | null, reads: readonly WaitingRead[]): Promise<void> {
    let client: PoolClient
    try {
      client = await this.#connect(companyId, reads)
    } catch (error) {
      for (const { reject } of reads) reject(error)
      return
    }
    const areReusable = await Promise.all(reads.map(({ run }) => run(client)))
    client.release(areReusable.includes(false))
  }

  /** While the group waits for a connection, more reads join it. */
  async #connect(companyId: number | null, reads: readonly WaitingRead[]): Promise<PoolClient> {
    try {
      return await this.#pool.connect()
    } finally {
      if (this.#groups.get(companyId) === reads) this.#groups.delete(companyId)
    }
  }
}

/** With more, the server's other processes would be idle. */
const groupLengthMax = 8
