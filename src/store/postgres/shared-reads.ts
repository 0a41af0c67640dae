// Shared reads: reads of one company, or across companies, that begin in the same turn of the event loop share a connection and a message.
import type { Pool, PoolClient } from 'pg'
import { readInCompany } from './row-security.ts'

interface WaitingRead {
  /** Runs the read; the result completes or rejects it. */
  readonly run: (client: PoolClient) => Promise<() => void>
  readonly reject: (error: unknown) => void
}

/**
 * A message to the database costs more than a short read. The reads of a group wait for its longest one, so those that may
 * take long, or that are cancelled with their caller, have a connection each.
 */
export class SharedReads {
  readonly #pool: Pool
  /** Per company, the group that has no connection yet; null: reads of no company. */
  readonly #groups = new Map<number | null, WaitingRead[]>()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  run<T>(companyId: number | null, read: (client: PoolClient) => Promise<T>): Promise<T> {
    let group = this.#groups.get(companyId)
    if (group === undefined || group.length === groupLengthMax) {
      const reads = (group = [])
      this.#groups.set(companyId, reads)
      setImmediate(() => void this.#runGroup(companyId, reads))
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const run = async (client: PoolClient) => {
      const value = await read(client)
      return () => resolve(value)
    }
    group.push({ run, reject })
    return promise
  }

  /** No read of the group completes before all are known to have seen the company. After an error the connection is closed. */
  async #runGroup(companyId: number | null, reads: readonly WaitingRead[]): Promise<void> {
    let client: PoolClient | undefined
    let isReusable = false
    try {
      client = await this.#connect(companyId, reads)
      const results = await readInCompany(client, companyId, (shared) =>
        Promise.allSettled(reads.map(({ run }) => run(shared))),
      )
      isReusable = results.every(({ status }) => status === 'fulfilled')
      for (const [index, result] of results.entries())
        if (result.status === 'fulfilled') result.value()
        else reads[index]?.reject(result.reason)
    } catch (error) {
      for (const { reject } of reads) reject(error)
    } finally {
      client?.release(!isReusable)
    }
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
