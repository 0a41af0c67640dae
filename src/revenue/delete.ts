// Deletes a revenue record; the next record of its cell becomes the leading one.
import { Fault } from '../errors/catalog.ts'
import { revenue } from '../model/revenue.ts'
import type { Deed } from '../auth/action-context.ts'
import { Changes } from './changes.ts'
import type { Transaction } from '../store/store.ts'
import { revenuesById } from '../store/revenue/revenues.ts'

/** Throws `NotFound` for an unknown key and for another company's key alike. */
export async function deleteRevenue(
  transaction: Transaction,
  id: number,
  deed: Deed,
): Promise<void> {
  const stored = (await revenuesById(transaction, [id])).get(id)
  if (stored === undefined) {
    const what = `${revenue.wire}(${id})`
    throw new Fault('NotFound', { target: what, says: { what } })
  }
  const changes = new Changes(transaction, deed)
  changes.delete(stored)
  await changes.store()
}
