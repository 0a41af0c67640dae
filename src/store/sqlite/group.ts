// The acts that share one commit: each in a savepoint, so that one can fail without its neighbours.
import type { CompanyId } from '#model/resource.ts'
import { storeCounters, takeCounters, type Counters } from '#store/counters.ts'
import type { Connection } from '#store/sqlite/connection.ts'
import type { Awaitable, Writer } from '#store/store.ts'

export class Group {
  readonly writer: Writer
  readonly #connection: Connection
  readonly #counters = new Map<CompanyId, Counters>()

  constructor(connection: Connection) {
    this.#connection = connection
    this.writer = {
      dialect: 'sqlite',
      all: (statement, values) => connection.all(statement, values),
      first: (statement, values) => connection.first(statement, values),
      run: (statement, values) => connection.run(statement, values),
    }
  }

  /** Runs one act and gives what to tell its caller once the group is committed. */
  async attempt<T>(
    act: () => Awaitable<T>,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ): Promise<() => void> {
    const restoreCounters = this.#saveCounters()
    this.#connection.exec('savepoint act')
    try {
      const value = await act()
      this.#connection.exec('release act')
      return () => resolve(value)
    } catch (error) {
      // Some errors of the engine undo the whole transaction: then the group ends here.
      if (!this.#connection.raw.inTransaction) throw error
      this.#connection.exec('rollback to act')
      this.#connection.exec('release act')
      restoreCounters()
      return () => reject(error)
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
