// Injected bug: writes read before they take the lock, and use what they read once they have it.
import { setTimeout } from 'node:timers/promises'
import { Sequences } from '../../../src/store/sequences.ts'
import { PostgresStore } from '../../../src/store/postgres/postgres-store.ts'
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import type { SqlValues, Statement } from '../../../src/store/statement.ts'
import type { Store, Transaction } from '../../../src/store/store.ts'

function readOutside(store: Store) {
  // oxlint-disable-next-line typescript/unbound-method -- called with its store below
  const { inTransaction } = store
  store.inTransaction = async function <T>(...[companyId, act]: Parameters<typeof inTransaction<T>>) {
    const seen: unknown[][] = []
    const look: Transaction['all'] = async (statement, values) => {
      const rows = await this.all(statement, values)
      seen.push(rows)
      return rows
    }
    const counters = new Sequences({
      companyId,
      lastTimestamp: 0,
      revenueId: 0,
      revenueLogId: 0,
      employeeId: 0,
      materialId: 0,
      ledgerId: 0,
      retrievalId: 0,
      claimId: 0,
      auditId: 0,
      signInEvents: 0,
    })
    const { dialect } = this
    await act({
      dialect,
      ...reads(look),
      run: () => undefined,
      updateRow: () => undefined,
      clearCached: () => undefined,
      hasOwnThread: false,
      companyId,
      sequences: counters,
    })
    await nextReader()
    let next = 0
    const recall: Transaction['all'] = <Row>(_statement: Statement<Row>, _values: SqlValues) => seen[next++] as Row[]
    return inTransaction.call(this, companyId, (transaction: Transaction) =>
      act({ ...transaction, ...reads(recall) }),
    ) as Promise<T>
  }
}

/** Highest wait for another write, which does not come after the last one. */
const readersApartMs = 100
let announceReader = () => {}

/** Waits until another write has read too, so that the fault does not depend on how writes happen to overlap. */
async function nextReader(): Promise<void> {
  announceReader()
  const { promise, resolve } = Promise.withResolvers<void>()
  announceReader = resolve
  await Promise.race([promise, setTimeout(readersApartMs)])
}

function reads(all: Transaction['all']): Pick<Transaction, 'all' | 'first' | 'hasRow'> {
  return {
    all,
    first: async (statement, values) => (await all(statement, values))[0],
    hasRow: async (statement, values) => (await all(statement, values)).length > 0,
  }
}

readOutside(SqliteStore.prototype)
readOutside(PostgresStore.prototype)
