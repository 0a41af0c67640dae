// Corrections of exported transactions at all destinations, and which are correctable.
import type { WriteContext } from '../auth/action-context.ts'
import { applyCorrectionsAt } from './corrections.ts'
import { transactionStates } from '../model/transaction.ts'
import { restoreExportedState } from '../store/export/corrections.ts'
import { listDestinations, filterUncorrectable, type Destination } from '../store/export/destinations.ts'
import { findMaterials } from '../store/material/materials.ts'
import type { Transaction } from '../store/store.ts'

/**
 * The transactions that can be corrected: those that no destination without corrections has received. Empty when no
 * destination accepts corrections.
 */
export async function findCorrectable(transaction: Transaction, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const destinations = await listDestinations(transaction)
  if (!destinations.some(acceptsCorrections)) return new Set()
  const blocked = await filterUncorrectable(transaction, ids)
  return new Set(ids.filter((id) => !blocked.has(id)))
}

/**
 * Adds correction lines at every destination that accepts them. A transaction with no line left to export counts as
 * exported again.
 */
export async function applyCorrections(
  transaction: Transaction,
  destinations: readonly Destination[],
  ids: readonly number[],
  context: WriteContext,
): Promise<void> {
  const correctable = destinations.filter(acceptsCorrections)
  if (correctable.length === 0) return
  const isWaitingById = new Map<number, boolean>()
  for (const destination of correctable)
    for (const [id, isWaiting] of await applyCorrectionsAt(transaction, destination, ids, context))
      isWaitingById.set(id, isWaiting || isWaitingById.get(id) === true)
  const current = await findMaterials(transaction, [...isWaitingById.keys()])
  const exported = [...isWaitingById].flatMap(([id, isWaiting]) =>
    !isWaiting && current.get(id)?.state === transactionStates.approved ? id : [],
  )
  await restoreExportedState(transaction, exported)
}

function acceptsCorrections({ corrections }: Destination): boolean {
  return corrections === 'lines'
}
