// Shared reads: reads that begin in the same turn of the event loop share a connection and a message.
import type { Pool, PoolClient } from 'pg'
import type { CompanySlots } from '../company-slots.ts'

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
  /** For groups of one company. */
  readonly #turns: CompanySlots | null
  /** Per company, the group that has no connection yet; null: of short reads of all companies. */
  readonly #groups = new Map<number | null, WaitingRead[]>()

  constructor(pool: Pool, turns: CompanySlots | null = null) {
    this.#pool = pool
    this.#turns = turns
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

  /** While the group waits for its turn and a connection, more reads join it. After an error the connection is closed. */
  async #runGroup(companyId: number | null, reads: readonly WaitingRead[]): Promise<void> {
    const closeGroup = () => {
      if (this.#groups.get(companyId) === reads) this.#groups.delete(companyId)
    }
    let releaseTurn: (() => void) | undefined
    try {
      if (companyId !== null) releaseTurn = await this.#turns?.acquire(companyId)
      const client = await this.#pool.connect()
      closeGroup()
      const areReusable = await Promise.all(reads.map(({ run }) => run(client)))
      client.release(areReusable.includes(false))
    } catch (error) {
      closeGroup()
      for (const { reject } of reads) reject(error)
    } finally {
      releaseTurn?.()
    }
  }
}

/** With more, the server's other processes would be idle. */
const groupLengthMax = 8
