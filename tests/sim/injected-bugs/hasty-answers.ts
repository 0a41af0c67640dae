// Injected bug: replies to writes are sent before the commit. Loaded into a server process with --import.
import { PostgresStore } from '../../../src/store/postgres/postgres-store.ts'
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../../src/store/store.ts'

function replyEarly(store: Store) {
  // oxlint-disable-next-line typescript/unbound-method -- called with its store below
  const { inTransaction } = store
  store.inTransaction = function <T>(...[companyId, act]: Parameters<typeof inTransaction<T>>) {
    return new Promise<T>((resolve, reject) => {
      const early: typeof act = async (transaction) => {
        const value = await act(transaction)
        resolve(value)
        await new Promise((done) => setTimeout(done, 20))
        return value
      }
      inTransaction.call(this, companyId, early).catch(reject)
    })
  }
}

replyEarly(SqliteStore.prototype)
replyEarly(PostgresStore.prototype)
