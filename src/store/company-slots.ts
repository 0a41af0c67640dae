// Company slots: limits how much runs at a time, in all and of one company. The rest waits in a queue, each company in turn.
import { ApiError } from '../errors/api-error.ts'
import type { ActiveCompanies } from './active-companies.ts'
import type { RequestClient } from './store.ts'

type Waiter = PromiseWithResolvers<void>

export interface CompanySlotsOptions {
  readonly count: number
  /** How many of them a company may use now; default: three quarters. */
  readonly ofCompanyMax?: (companyId: number) => number
  /** How long a read waits for a slot; null: without a limit. */
  readonly waitMs: number | null
  /** How many reads may wait; those of one company at most half of that. */
  readonly waitingMax?: number
  /** The name of `count` in `/limits`. */
  readonly limitName?: string
}

/** How many streams may run at a time, on either database. */
export const streamsMax = 8

/** How many costly reads may run at a time (ADR 0015). On SQLite each is a process of some 110 MB (measured). */
export const costlyReadsMax = 4

/**
 * A freed slot goes to each company in turn, however many reads it has waiting. One company uses a part of the slots at most,
 * so that others find one free (ADR 0015).
 */
export class CompanySlots {
  readonly #options: CompanySlotsOptions & Required<Pick<CompanySlotsOptions, 'waitingMax' | 'ofCompanyMax'>>
  /** By company, in the order of their turns; no queue is empty. */
  readonly #queues = new Map<number, Set<Waiter>>()
  readonly #inUseByCompany = new Map<number, number>()
  #inUse = 0
  #waiting = 0

  constructor(options: CompanySlotsOptions) {
    this.#options = { waitingMax: 1000, ofCompanyMax: () => shareOf(options.count), ...options }
  }

  get inUse(): number {
    return this.#inUse
  }

  get waiting(): number {
    return this.#waiting
  }

  /**
   * Resolves with the function that releases the slot. Throws `Overloaded` where none is released in time, where the
   * queue is full, and where the client disconnects.
   */
  async acquire(companyId: number, client?: RequestClient): Promise<() => void> {
    if (!this.#queues.has(companyId) && this.#isFree(companyId)) this.#take(companyId)
    else await this.#wait(companyId, client)
    return () => this.#release(companyId)
  }

  #isFree(companyId: number): boolean {
    const { count, ofCompanyMax } = this.#options
    const ofCompany = this.#inUseByCompany.get(companyId) ?? 0
    return this.#inUse < count && ofCompany < ofCompanyMax(companyId)
  }

  #take(companyId: number): void {
    this.#inUse++
    this.#inUseByCompany.set(companyId, (this.#inUseByCompany.get(companyId) ?? 0) + 1)
  }

  async #wait(companyId: number, client: RequestClient | undefined): Promise<void> {
    const { waitMs, waitingMax, limitName } = this.#options
    const length = this.#queues.get(companyId)?.size ?? 0
    if (this.#waiting >= waitingMax || length >= waitingMax / 2) throw overloadedError(limitName)
    const waiter: Waiter = Promise.withResolvers()
    const giveUp = () => {
      if (this.#dequeue(companyId, waiter)) waiter.reject(overloadedError(limitName))
    }
    this.#enqueue(companyId, waiter)
    // The company may use more than when those before it were queued.
    this.#admitWaiting()
    const timer = waitMs === null ? undefined : setTimeout(giveUp, waitMs).unref()
    const unsubscribe = client?.onDisconnect(giveUp)
    try {
      await waiter.promise
    } finally {
      clearTimeout(timer)
      unsubscribe?.()
    }
  }

  #enqueue(companyId: number, waiter: Waiter): void {
    const queue = this.#queues.get(companyId)
    if (queue === undefined) this.#queues.set(companyId, new Set([waiter]))
    else queue.add(waiter)
    this.#waiting++
  }

  /** False where it was not in the queue. */
  #dequeue(companyId: number, waiter: Waiter): boolean {
    const queue = this.#queues.get(companyId)
    if (queue?.delete(waiter) !== true) return false
    if (queue.size === 0) this.#queues.delete(companyId)
    this.#waiting--
    return true
  }

  #release(companyId: number): void {
    this.#inUse--
    const ofCompany = (this.#inUseByCompany.get(companyId) ?? 0) - 1
    if (ofCompany === 0) this.#inUseByCompany.delete(companyId)
    else this.#inUseByCompany.set(companyId, ofCompany)
    this.#admitWaiting()
  }

  #admitWaiting(): void {
    let isAdmitted = true
    while (isAdmitted) isAdmitted = this.#admitNext()
  }

  /** Passes a free slot to the company whose turn it is, and moves that company behind the others; false where none may. */
  #admitNext(): boolean {
    for (const [companyId, queue] of this.#queues) {
      const [waiter] = queue
      if (waiter === undefined || !this.#isFree(companyId)) continue
      this.#dequeue(companyId, waiter)
      if (queue.size > 0) {
        this.#queues.delete(companyId)
        this.#queues.set(companyId, queue)
      }
      this.#take(companyId)
      waiter.resolve()
      return true
    }
    return false
  }
}

/** Three quarters. */
function shareOf(count: number): number {
  return Math.ceil(count * 0.75)
}

/** A costly read keeps a processor busy: beside others, a company has one at a time, and its share while it is alone. */
export function createCostlySlots(companies: ActiveCompanies, waitMs: number | null): CompanySlots {
  return new CompanySlots({
    count: costlyReadsMax,
    ofCompanyMax: (companyId) => (companies.isAlone(companyId) ? shareOf(costlyReadsMax) : 1),
    waitMs,
    limitName: 'costlyReadsMax',
  })
}

/** Also the error of a read whose client has disconnected. */
export function overloadedError(limitName?: string): ApiError {
  return new ApiError('Overloaded', {
    params: limitName === undefined ? {} : { limitName },
    headers: { 'Retry-After': '5' },
  })
}
