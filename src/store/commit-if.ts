// Conditional commit: a transaction whose result decides whether it is committed or rolled back.
import type { CompanyId } from '../engine/model/resource.ts'
import type { Store, Transaction, TransactionOptions } from './store.ts'

/**
 * Runs the work in a transaction of the company, which is rolled back unless `isCommitted` is true of its result; the
 * result is returned in both cases.
 */
export async function commitIf<Result>(
  store: Store,
  companyId: CompanyId,
  isCommitted: (result: Result) => boolean,
  work: (transaction: Transaction) => Promise<Result>,
  options?: TransactionOptions,
): Promise<Result> {
  try {
    const workOnCondition = async (transaction: Transaction) => {
      const result = await work(transaction)
      if (!isCommitted(result)) throw new RolledBack(result)
      return result
    }
    return await store.inTransaction(companyId, workOnCondition, options)
  } catch (error) {
    if (error instanceof RolledBack) return error.result
    throw error
  }
}

class RolledBack<Result> extends Error {
  readonly result: Result

  constructor(result: Result) {
    super('the transaction is rolled back')
    this.result = result
  }
}
