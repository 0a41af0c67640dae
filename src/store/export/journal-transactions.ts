// Journaled transactions: a transaction is done when the export journal has its ledger entries.
import type { JournalWriter } from './journal-writer.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { Sequences } from '../sequences.ts'
import type { Awaitable, Store, Transaction, TransactionOptions } from '../store.ts'

/** From now on a transaction of the store that assigns ids resolves after the journal has what it committed. */
export function journalTransactions(store: Store, journalWriter: JournalWriter): void {
  const inTransaction = store.inTransaction.bind(store)
  store.inTransaction = async <T>(
    companyId: CompanyId,
    work: (transaction: Transaction) => Awaitable<T>,
    options?: TransactionOptions,
  ): Promise<T> => {
    let hasNewIds = false
    const compared = (transaction: Transaction) => {
      const before = sumIds(transaction.sequences)
      const compare = (value: T): T => {
        hasNewIds = sumIds(transaction.sequences) !== before
        return value
      }
      const value = work(transaction)
      return value instanceof Promise ? value.then(compare) : compare(value)
    }
    const result = await inTransaction(companyId, compared, options)
    if (hasNewIds) await journalWriter.flush(companyId)
    return result
  }
}

/** Changes when a ledger id or a line id is assigned. */
function sumIds(sequences: Sequences): number {
  return sequences.last('ledgerId') + sequences.last('materialId')
}
