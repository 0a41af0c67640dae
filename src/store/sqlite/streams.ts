// Streams: long reads in chunks, each on a connection of its own, whose open statement holds the snapshot.
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import type { SqlValue } from '../../engine/sql/dialect.ts'
import { overloadedError, CompanySlots, streamsMax } from '../company-slots.ts'
import { readParameters, rowStatement } from '../read.ts'
import type { RequestClient, RowFormat } from '../store.ts'
import { isChunkFull, rowLength } from '../stream-chunk.ts'
import { ChunkTurns } from './chunk-turns.ts'
import { connect, type Connection } from './connection.ts'
import type { DatabaseErrors } from './errors.ts'
import type { OpenSnapshots } from './open-snapshots.ts'

export interface StreamsOptions {
  readonly path: string
  readonly errors: DatabaseErrors
  readonly snapshots: OpenSnapshots
  /** How long a stream waits for its turn; null: without a limit. */
  readonly waitMs: number | null
  /** Counts the reads and writes of all others so far. */
  readonly requests: () => number
}

export class Streams {
  readonly #options: StreamsOptions
  readonly #slots: CompanySlots
  readonly #turns: ChunkTurns
  readonly #idle: Connection[] = []

  constructor(options: StreamsOptions) {
    this.#options = options
    this.#slots = new CompanySlots({ count: streamsMax, waitMs: options.waitMs, limitName: 'streamsMax' })
    this.#turns = new ChunkTurns(options.requests)
  }

  load(): { open: number; idle: number; waiting: number } {
    return { open: this.#slots.inUse, idle: this.#idle.length, waiting: this.#slots.waiting }
  }

  close(): void {
    for (const connection of this.#idle) connection.close()
  }

  async *chunks(plan: ReadPlan, format: RowFormat, client: RequestClient | undefined): AsyncGenerator<SqlValue[][]> {
    const { path, errors, snapshots } = this.#options
    const release = await this.#slots.acquire(plan.companyId, client)
    let connection: Connection | undefined
    let closeSnapshot: (() => void) | undefined
    try {
      await snapshots.prepare()
      await this.#turns.next()
      connection = this.#idle.pop() ?? connect(path, 'stream')
      let chunk: SqlValue[][] = []
      let length = 0
      const values = { ...readParameters(plan), limit: plan.top ?? -1 }
      const rows = connection.iterate(rowStatement(plan, format), values)
      let isEnded = false
      closeSnapshot = snapshots.add(() => {
        isEnded = true
        rows.return?.()
      })
      for (const row of rows) {
        chunk.push(row)
        length += rowLength(row)
        if (!isChunkFull(chunk.length, length)) continue
        yield chunk
        chunk = []
        length = 0
        await this.#turns.next()
      }
      if (isEnded) throw overloadedError()
      if (chunk.length > 0) yield chunk
    } catch (error) {
      throw errors.map(error, 'not_applied')
    } finally {
      closeSnapshot?.()
      if (connection !== undefined) this.#idle.push(connection)
      release()
    }
  }
}
