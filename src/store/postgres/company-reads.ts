// Reads of a company: shared, or with a slot and cancelled with their caller; long ones as streams.
import type { PoolClient } from 'pg'
import { ApiError } from '../../errors/api-error.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import type { SqlValue } from '../../engine/sql/dialect.ts'
import type { ActiveCompanies } from '../active-companies.ts'
import { createCostlySlots, overloadedError, CompanySlots, streamsMax } from '../company-slots.ts'
import { classifyRowQuery, unknownSizes } from '../is-cheap-query.ts'
import { readParameters, rowStatement } from '../read.ts'
import type { RequestClient, RowFormat, StoreLoad } from '../store.ts'
import { nextChunkRows } from '../stream-chunk.ts'
import { readTooCostlyError, streamIdleMs } from '../time-limits.ts'
import { openCursor, rollBack, type StoreConnections } from './connection.ts'
import { toPostgresApiError } from './errors.ts'
import { processIdOf } from './primary.ts'
import { runText } from './query.ts'
import { setCompanyLocally } from './row-security.ts'
import { SharedReads } from './shared-reads.ts'

export class CompanyReads {
  readonly shared: SharedReads
  readonly #connections: StoreConnections
  readonly #streamSlots: CompanySlots
  readonly #costlySlots: CompanySlots
  /** Each while the database reads a chunk of a stream, or the cheap reads of a message. */
  readonly #turns: CompanySlots
  /** The same for chunks of costly streams, each of which may take as long as a read may. */
  readonly #costlyTurns: CompanySlots

  constructor(connections: StoreConnections, companies: ActiveCompanies) {
    const waitMs = connections.limits?.readMs ?? null
    this.#turns = new CompanySlots({
      count: readsAtATimeMax,
      ofCompanyMax: (companyId) => (companies.isAlone(companyId) ? readsAtATimeMax : readsBesideOthersMax),
      waitMs: null,
    })
    this.#costlyTurns = createCostlySlots(companies, null)
    this.shared = new SharedReads(connections.pool, this.#turns)
    this.#connections = connections
    this.#streamSlots = new CompanySlots({ count: streamsMax, waitMs, limitName: 'streamsMax' })
    this.#costlySlots = createCostlySlots(companies, waitMs)
  }

  load(): Pick<StoreLoad, 'streamsOpen'> & { readonly waiting: number } {
    return { streamsOpen: this.#streamSlots.inUse, waiting: this.#streamSlots.waiting + this.#costlySlots.waiting }
  }

  /** Runs a read of a company; a timeout means that the query is too costly. */
  async run<T>(
    companyId: CompanyId,
    { cost, caller }: { readonly cost: ReadCost; readonly caller: RequestClient | undefined },
    read: (client: PoolClient) => Promise<T>,
  ): Promise<T> {
    try {
      if (cost !== 'costly') return await this.shared.run(cost === 'short' ? null : companyId, read)
      const release = await this.#costlySlots.acquire(companyId, caller)
      try {
        return await this.#readAlone(read, caller)
      } finally {
        release()
      }
    } catch (error) {
      throw this.#readFault(error)
    }
  }

  async *stream(plan: ReadPlan, format: RowFormat, caller: RequestClient | undefined): AsyncGenerator<SqlValue[][]> {
    const turns = classifyRowQuery(plan, unknownSizes) === null ? this.#costlyTurns : this.#turns
    const release = await this.#streamSlots.acquire(plan.companyId, caller)
    let client: PoolClient | undefined
    let cancellation: StatementCancellation | undefined
    try {
      client = await this.#connections.pool.connect()
      cancellation = this.#cancelOnDisconnect(client, caller)
      const company = setCompanyLocally(client, plan.companyId)
      await runText(client, `begin transaction isolation level repeatable read read only${company}${streamLimit}`)
      const values = { ...readParameters(plan), limit: plan.top ?? Number.MAX_SAFE_INTEGER }
      const cursor = await openCursor(client, rowStatement(plan, format), values)
      const next = async (rowsMax: number) => {
        const releaseTurn = await turns.acquire(plan.companyId, caller)
        return cursor(rowsMax).finally(releaseTurn)
      }
      for (let rows = await next(firstRows); rows.length > 0; rows = await next(nextChunkRows(rows))) yield rows
    } catch (error) {
      throw this.#readFault(error)
    } finally {
      cancellation?.unsubscribe()
      release()
      // The rollback discards the remaining rows of an abandoned stream.
      if (client !== undefined) {
        const isClean = await rollBack(client)
        client.release(!isClean || cancellation?.wasSent() === true)
      }
    }
  }

  /** The read is cancelled when its caller disconnects; after an error the connection is closed. */
  async #readAlone<T>(read: (client: PoolClient) => Promise<T>, caller: RequestClient | undefined): Promise<T> {
    const client = await this.#connections.pool.connect()
    const cancellation = this.#cancelOnDisconnect(client, caller)
    let isReusable = false
    try {
      if (cancellation.wasSent()) throw overloadedError()
      const value = await read(client)
      isReusable = !cancellation.wasSent()
      return value
    } catch (error) {
      throw cancellation.wasSent() ? overloadedError() : error
    } finally {
      cancellation.unsubscribe()
      client.release(!isReusable)
    }
  }

  /**
   * The connection is closed after a cancellation, which could otherwise hit its next statement. A cancellation that is there
   * before the statement does nothing, so it is repeated.
   */
  #cancelOnDisconnect(client: PoolClient, caller: RequestClient | undefined): StatementCancellation {
    let repeated: NodeJS.Timeout | undefined
    // Where it fails, the statement ends by its time limit.
    const send = () =>
      void this.#connections.controlPool.query(cancelText, [processIdOf(client)]).catch(() => undefined)
    const unsubscribe = caller?.onDisconnect(() => {
      repeated = setInterval(send, cancelEveryMs)
      send()
    })
    return {
      wasSent: () => repeated !== undefined,
      unsubscribe: () => {
        unsubscribe?.()
        clearInterval(repeated)
      },
    }
  }

  #readFault(error: unknown): unknown {
    const failure = toPostgresApiError(error, 'not_applied') ?? error
    const isOver = failure instanceof ApiError && failure.code === 'Timeout'
    const { limits } = this.#connections
    return isOver && limits !== null ? readTooCostlyError(limits) : failure
  }
}

/** A short read shares a message with those of other companies, a cheap one with those of its own, a costly one with none. */
export type ReadCost = 'short' | 'cheap' | 'costly'

/** How many messages of reads that are neither short nor costly the database works on at a time, and of one company beside others. */
const [readsAtATimeMax, readsBesideOthersMax] = [12, 2]

const streamLimit = `; set local idle_in_transaction_session_timeout = ${streamIdleMs}`

/** The length of rows is only known after the first chunk. */
const firstRows = 50

/** Until it is unsubscribed, a disconnect of the caller cancels what the connection runs. */
interface StatementCancellation {
  wasSent(): boolean
  unsubscribe(): void
}

const cancelEveryMs = 1000
const cancelText = 'select pg_cancel_backend($1)'
