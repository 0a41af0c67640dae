// Puts records back to what they were before an act: another amount, or gone where the act had made them.
import { actions } from '../model/revenue-log.ts'
import type { Revenue } from '../model/revenue.ts'
import type { Deed } from '../auth/action-context.ts'
import { Changes } from './changes.ts'
import type { StoredRevenue } from '../store/revenue/revenues.ts'
import type { Transaction } from '../store/store.ts'

export interface Standing {
  readonly stored: StoredRevenue
  /** Null for a record that was not there. */
  readonly before: Pick<Revenue, 'amount' | 'remark'> | null
}

/** The journal tells of it as of any other change. */
export async function standAgain(
  transaction: Transaction,
  standings: readonly Standing[],
  deed: Deed,
): Promise<void> {
  const changes = new Changes(transaction, deed)
  for (const { stored, before } of standings) {
    if (before === null) {
      changes.delete(stored)
      continue
    }
    const record = changes.update(stored, before)
    const { amount } = before
    const entry = { action: actions.set, amount, before: stored.amount, after: amount }
    changes.log(record, { ...entry, reference: null })
  }
  await changes.store()
}
