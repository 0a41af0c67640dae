// Restores the previous values of revenue records, and deletes inserted ones.
import { revenueActions } from '../model/revenue-log.ts'
import type { RevenueValues } from '../model/revenue.ts'
import type { ActionContext } from '../auth/action-context.ts'
import { RevenueChanges } from './changes.ts'
import type { StoredRevenue } from '../store/revenue/revenues.ts'
import type { Transaction } from '../store/store.ts'

export interface PreviousRevenue {
  readonly stored: StoredRevenue
  /** The previous values; null for a record that did not exist. */
  readonly before: RevenueValues | null
}

/** The change log records it like any other change. */
export async function restorePrevious(
  transaction: Transaction,
  previous: readonly PreviousRevenue[],
  context: ActionContext,
): Promise<void> {
  const changes = new RevenueChanges(transaction, context)
  for (const { stored, before } of previous) {
    if (before === null) {
      changes.delete(stored)
      continue
    }
    const { amount } = before
    changes.update(stored, before, { action: revenueActions.set, amount, reference: null })
  }
  await changes.save()
}
