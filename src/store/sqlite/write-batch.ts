// Write batch: the operations of one commit share a transaction and the sequences of companies.
import type { CompanyId } from '../../engine/model/resource.ts'
import type { Savepoints } from '../transaction-batch.ts'
import { saveSequences, lockSequences } from '../sequence-rows.ts'
import type { Sequences } from '../sequences.ts'
import type { Connection } from './connection.ts'
import type { Writer } from '../store.ts'

export class WriteBatch {
  readonly writer: Writer
  readonly savepoints: Savepoints
  readonly #sequences = new Map<CompanyId, Sequences>()

  constructor(connection: Connection) {
    this.writer = {
      dialect: 'sqlite',
      all: (statement, values) => connection.all(statement, values),
      first: (statement, values) => connection.first(statement, values),
      run: (statement, values) => connection.run(statement, values),
      shrinkCache: () => connection.shrinkCache(),
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

  async getSequences(companyId: CompanyId): Promise<Sequences> {
    let sequences = this.#sequences.get(companyId)
    if (sequences === undefined) {
      sequences = await lockSequences(this.writer, companyId)
      this.#sequences.set(companyId, sequences)
    }
    return sequences
  }

  async saveSequences(): Promise<void> {
    for (const sequences of this.#sequences.values())
      if (sequences.isChanged) await saveSequences(this.writer, sequences)
  }

  /** Sequences that are locked after the savepoint are read again after a rollback, so only the present ones are saved. */
  #saveSequences(): () => void {
    const saved = [...this.#sequences.values()].map(
      (sequences) => [sequences, sequences.snapshot()] as const,
    )
    const known = new Set(this.#sequences.keys())
    return () => {
      for (const [sequences, row] of saved) sequences.restore(row)
      for (const id of this.#sequences.keys()) if (!known.has(id)) this.#sequences.delete(id)
    }
  }
}
