// Writer cache: what the writer read in earlier transactions and nobody has changed since.
import type { CompanyId } from '../../engine/model/resource.ts'
import { RowCache } from '../row-cache.ts'
import type { Awaitable } from '../store.ts'
import { Sequences } from '../sequences.ts'

export class WriterCache {
  #dataVersion: number | null = null
  readonly #sequences = new Map<CompanyId, Sequences>()
  readonly rows = new RowCache<Awaitable<boolean>>()

  /** Begins a transaction, with the data version of its connection: the cache is valid while it stays the same. */
  open(dataVersion: number): void {
    if (dataVersion === this.#dataVersion) return
    this.clear()
    this.#dataVersion = dataVersion
  }

  /** After a rollback, and after a change of cached rows. */
  clear(): void {
    this.#sequences.clear()
    this.rows.clear()
  }

  /** As they were at the last commit, or as this transaction has changed them since. */
  getSequences(companyId: CompanyId): Sequences | undefined {
    return this.#sequences.get(companyId)
  }

  /** After the commit that stored them. */
  setSequences(companyId: CompanyId, sequences: Sequences): void {
    this.#sequences.set(companyId, new Sequences(sequences.snapshot()))
  }
}
