// Journaled transactions: a transaction is done when the export journal has its ledger entries.
import { ApiError } from '../../errors/api-error.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { Sequences } from '../sequences.ts'
import type { Awaitable, CommitJournal, Transaction } from '../store.ts'

/** Runs work in a transaction of the company. */
type RunTransaction<T> = (work: (transaction: Transaction) => Awaitable<T>) => Promise<T>

/**
 * Runs the transaction, and resolves after the journal has what it committed if it assigned ids, or what an earlier one did: a
 * repeated request is not answered before that. Ids of an operation that started before its end (`letNextStart`) count as well.
 * Where a failover has lost what the journal has, it runs after that is repeated.
 */
export function runJournaled<T>(
  journal: CommitJournal,
  companyId: CompanyId,
  work: (transaction: Transaction) => Awaitable<T>,
  run: RunTransaction<T>,
): Promise<T> {
  let hasNewIds = false
  let [ledgerId, materialId] = [0, 0]
  const runOnce = () =>
    run((transaction) => {
      const { sequences } = transaction
      if (journal.mayBeAhead(companyId, sequences.last('ledgerId'), sequences.last('materialId')))
        throw new LedgerBehind(sequences.last('ledgerId'), sequences.last('materialId'))
      const before = sumIds(sequences)
      const compare = (value: T): T => {
        hasNewIds = sumIds(sequences) !== before
        ledgerId = sequences.last('ledgerId')
        materialId = sequences.last('materialId')
        return value
      }
      const value = work(transaction)
      return value instanceof Promise ? value.then(compare) : compare(value)
    })
  const complete = (result: T) =>
    hasNewIds || journal.isBehind(companyId)
      ? journal.flush(companyId, ledgerId, materialId).then(() => result)
      : result
  return runOnce().then(complete, (error: unknown) => {
    if (!(error instanceof LedgerBehind)) throw error
    return journal.replay(companyId, error.ledgerId, error.materialId).then(runOnce).then(complete)
  })
}

/** The transaction has stored nothing. It is the caller's error only where another failover follows the replay. */
class LedgerBehind extends ApiError {
  readonly ledgerId: number
  readonly materialId: number

  constructor(ledgerId: number, materialId: number) {
    super('DatabaseUnavailable', { outcome: 'not_applied', headers: { 'Retry-After': '1' } })
    this.ledgerId = ledgerId
    this.materialId = materialId
  }
}

/** Changes when a ledger id or a line id is assigned. */
function sumIds(sequences: Sequences): number {
  return sequences.last('ledgerId') + sequences.last('materialId')
}
