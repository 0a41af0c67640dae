// Write batch: the operations of one commit share a transaction and the sequences of companies.
import type { CompanyId } from '../../engine/model/resource.ts'
import { assertOneRow } from '../assert-one-row.ts'
import type { Savepoints } from '../transaction-batch.ts'
import { saveSequences, lockSequences } from '../sequence-rows.ts'
import type { Sequences } from '../sequences.ts'
import type { Connection } from './connection.ts'
import type { Writer } from '../store.ts'
import type { WriterCache } from './writer-cache.ts'

export class WriteBatch {
  readonly writer: Writer
  readonly savepoints: Savepoints
  readonly #cache: WriterCache
  readonly #sequences = new Map<CompanyId, Sequences>()

  constructor(connection: Connection, cache: WriterCache) {
    this.#cache = cache
    this.writer = {
      dialect: 'sqlite',
      all: (statement, values) => connection.all(statement, values),
      first: (statement, values) => connection.first(statement, values),
      hasRow: (statement, values) =>
        cache.rows.hasRow(statement, values, () => connection.first(statement, values) !== undefined),
      clearCached: () => cache.clear(),
      run: (statement, values) => connection.run(statement, values),
      updateRow: (statement, values) => assertOneRow(connection.change(statement, values)),
      shrinkCache: () => connection.shrinkCache(),
      flush: () => connection.flush(),
    }
    let restoreSequences = () => {}
    this.savepoints = {
      set: () => {
        restoreSequences = this.#saveSequences()
        connection.exec('savepoint operation')
      },
      release: () => connection.exec('release operation'),
      rollBack: () => {
        connection.exec('rollback to operation')
        connection.exec('release operation')
        cache.clear()
        restoreSequences()
      },
    }
  }

  async getSequences(companyId: CompanyId): Promise<Sequences> {
    let sequences = this.#sequences.get(companyId)
    if (sequences === undefined) {
      sequences = this.#cache.getSequences(companyId) ?? (await lockSequences(this.writer, companyId))
      this.#sequences.set(companyId, sequences)
    }
    return sequences
  }

  async saveSequences(): Promise<void> {
    for (const sequences of this.#sequences.values())
      if (sequences.isChanged) await saveSequences(this.writer, sequences)
  }

  /** The latest timestamp of its companies, in microseconds; 0 for a batch without any. */
  get lastTimestamp(): number {
    let last = 0
    for (const { lastTimestamp } of this.#sequences.values()) last = Math.max(last, lastTimestamp)
    return last
  }

  /** After the commit. */
  cacheSequences(): void {
    for (const [companyId, sequences] of this.#sequences) this.#cache.setSequences(companyId, sequences)
  }

  /** Sequences that are locked after the savepoint are read again after a rollback, so only the present ones are saved. */
  #saveSequences(): () => void {
    const saved = [...this.#sequences.values()].map((sequences) => [sequences, sequences.snapshot()] as const)
    const known = new Set(this.#sequences.keys())
    return () => {
      for (const [sequences, row] of saved) sequences.restore(row)
      for (const id of this.#sequences.keys()) if (!known.has(id)) this.#sequences.delete(id)
    }
  }
}
