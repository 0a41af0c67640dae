// Journaled transactions: a transaction is done when the export journal has its ledger entries.
import type { CompanyId } from '../../engine/model/resource.ts'
import type { Sequences } from '../sequences.ts'
import type { Awaitable, CommitJournal, Transaction } from '../store.ts'

/** Runs work in a transaction of the company. */
type RunTransaction<T> = (work: (transaction: Transaction) => Awaitable<T>) => Promise<T>

/**
 * Runs the transaction, and resolves after the journal has what it committed if it assigned ids, or what an earlier one did: a
 * repeated request is not answered before that. Ids of an operation that started before its end (`letNextStart`) count as well.
 */
export function runJournaled<T>(
  journal: CommitJournal,
  companyId: CompanyId,
  work: (transaction: Transaction) => Awaitable<T>,
  run: RunTransaction<T>,
): Promise<T> {
  let hasNewIds = false
  const committed = run((transaction) => {
    const before = sumIds(transaction.sequences)
    const compare = (value: T): T => {
      hasNewIds = sumIds(transaction.sequences) !== before
      return value
    }
    const value = work(transaction)
    return value instanceof Promise ? value.then(compare) : compare(value)
  })
  return committed.then((result) =>
    hasNewIds || journal.isBehind(companyId) ? journal.flush(companyId).then(() => result) : result,
  )
}

/** Changes when a ledger id or a line id is assigned. */
function sumIds(sequences: Sequences): number {
  return sequences.last('ledgerId') + sequences.last('materialId')
}
