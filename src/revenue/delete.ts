// Deletes a revenue record; the next record of its cell becomes the leading one.
import { ApiError } from '../errors/api-error.ts'
import { revenue } from '../model/revenue.ts'
import type { ActionContext } from '../auth/action-context.ts'
import { publishChange } from '../notifications/webhooks/publish.ts'
import { RevenueChanges } from './changes.ts'
import type { Transaction } from '../store/store.ts'
import { findRevenues, type StoredRevenue } from '../store/revenue/revenues.ts'

interface RevenueDeletion {
  readonly id: number
  /** Called before the deletion; throws when the record must not be deleted. */
  readonly guard?: (record: StoredRevenue) => void
}

/** Throws `NotFound` for an unknown key and for another company's key alike. */
export async function deleteRevenueRecord(
  transaction: Transaction,
  { id, guard }: RevenueDeletion,
  context: ActionContext,
): Promise<void> {
  const stored = (await findRevenues(transaction, [id])).get(id)
  if (stored === undefined) {
    const what = `${revenue.wire}(${id})`
    throw new ApiError('NotFound', { target: what, params: { what } })
  }
  guard?.(stored)
  const changes = new RevenueChanges(transaction, context)
  changes.delete(stored)
  await changes.save()
  await publishChange(transaction, context, 'revenue.changed', [id])
}
