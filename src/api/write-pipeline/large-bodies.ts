// Large bodies: parsed and written one at a time, of each company in turn, and with pauses while others write.
import type { CompanyId } from '../../engine/model/resource.ts'
import { CompanySlots } from '../../store/company-slots.ts'
import type { RequestClient, Store } from '../../store/store.ts'

export class LargeBodies {
  /** One, because a parsed body takes many times its size in memory. */
  readonly #slots = new CompanySlots({ count: 1, waitMs: null })
  readonly #store: Pick<Store, 'load'>
  readonly #monotonicMs: () => number

  constructor(store: Pick<Store, 'load'>, monotonicMs: () => number) {
    this.#store = store
    this.#monotonicMs = monotonicMs
  }

  /**
   * Runs the work of one after the other. Where others have written meanwhile, the next one waits as long as the last one took,
   * because on SQLite nobody else can write during its transaction. Throws `Overloaded` for a client that disconnects before its turn.
   */
  async run<T>(companyId: CompanyId, client: RequestClient, work: () => Promise<T>): Promise<T> {
    const release = await this.#slots.acquire(companyId, client)
    const startedAt = this.#monotonicMs()
    const committedBefore = this.#store.load().operationsCommitted
    try {
      return await work()
    } finally {
      // One of them is its own.
      const haveOthersWritten = this.#store.load().operationsCommitted > committedBefore + 1
      if (haveOthersWritten) setTimeout(release, this.#monotonicMs() - startedAt).unref()
      else release()
    }
  }
}
