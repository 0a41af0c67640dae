// Write batch: the operations of one commit share a transaction and the sequences of companies.
import type { CompanyId } from '../../engine/model/resource.ts'
import type { Savepoints } from '../transaction-batch.ts'
import { storeCounters, takeCounters } from '../sequence-rows.ts'
import type { Counters } from '../sequences.ts'
import type { Connection } from './connection.ts'
import type { Writer } from '../store.ts'

export class Group {
  readonly writer: Writer
  readonly savepoints: Savepoints
  readonly #sequences = new Map<CompanyId, Counters>()

  constructor(connection: Connection) {
    this.writer = {
      dialect: 'sqlite',
      all: (statement, values) => connection.all(statement, values),
      first: (statement, values) => connection.first(statement, values),
      run: (statement, values) => connection.run(statement, values),
      readOnce: () => connection.cacheLittle(),
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
        restoreSequences()
      },
    }
  }

  async countersOf(companyId: CompanyId): Promise<Counters> {
    let counters = this.#sequences.get(companyId)
    if (counters === undefined) {
      counters = await takeCounters(this.writer, companyId)
      this.#sequences.set(companyId, counters)
    }
    return counters
  }

  async storeCounters(): Promise<void> {
    for (const counters of this.#sequences.values())
      if (counters.isChanged) await storeCounters(this.writer, counters)
  }

  /** Sequences that are locked after the savepoint are read again after a rollback, so only the present ones are saved. */
  #saveSequences(): () => void {
    const saved = [...this.#sequences.values()].map(
      (counters) => [counters, counters.save()] as const,
    )
    const known = new Set(this.#sequences.keys())
    return () => {
      for (const [counters, row] of saved) counters.restore(row)
      for (const id of this.#sequences.keys()) if (!known.has(id)) this.#sequences.delete(id)
    }
  }
}
