// What the acts of one commit share: the connection's one transaction, and the counters of their companies.
import type { CompanyId } from '../../engine/model/resource.ts'
import type { Savepoints } from '../transaction-batch.ts'
import { storeCounters, takeCounters } from '../sequence-rows.ts'
import type { Counters } from '../sequences.ts'
import type { Connection } from './connection.ts'
import type { Writer } from '../store.ts'

export class Group {
  readonly writer: Writer
  readonly savepoints: Savepoints
  readonly #counters = new Map<CompanyId, Counters>()

  constructor(connection: Connection) {
    this.writer = {
      dialect: 'sqlite',
      all: (statement, values) => connection.all(statement, values),
      first: (statement, values) => connection.first(statement, values),
      run: (statement, values) => connection.run(statement, values),
      readOnce: () => connection.cacheLittle(),
    }
    let restoreCounters = () => {}
    this.savepoints = {
      set: () => {
        restoreCounters = this.#saveCounters()
        connection.exec('savepoint act')
      },
      release: () => connection.exec('release act'),
      rollBack: () => {
        connection.exec('rollback to act')
        connection.exec('release act')
        restoreCounters()
      },
    }
  }

  async countersOf(companyId: CompanyId): Promise<Counters> {
    let counters = this.#counters.get(companyId)
    if (counters === undefined) {
      counters = await takeCounters(this.writer, companyId)
      this.#counters.set(companyId, counters)
    }
    return counters
  }

  async storeCounters(): Promise<void> {
    for (const counters of this.#counters.values())
      if (counters.isChanged) await storeCounters(this.writer, counters)
  }

  /** Only the counters that exist now can have been used by others; those taken later start anew. */
  #saveCounters(): () => void {
    const saved = [...this.#counters.values()].map((counters) => ({
      counters,
      row: counters.save(),
    }))
    const known = new Set(this.#counters.keys())
    return () => {
      for (const { counters, row } of saved) counters.restore(row)
      for (const id of this.#counters.keys()) if (!known.has(id)) this.#counters.delete(id)
    }
  }
}
