// Corrections of exported transactions: which are correctable, and the lines each destination gets.
import type { Deed } from './action-context.ts'
import { settle, type Settlement } from './corrections.ts'
import { states } from '../model/transaction.ts'
import { standExported } from '../store/export/corrections.ts'
import { blockedAmong, destinationsOf, type Destination } from '../store/export/destinations.ts'
import { materialsById } from '../store/material/materials.ts'
import type { Transaction } from '../store/store.ts'

/**
 * The transactions that can be corrected: those that no destination without corrections has received. Empty when no
 * destination accepts corrections.
 */
export async function correctableAmong(
  transaction: Transaction,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const destinations = await destinationsOf(transaction)
  if (!destinations.some(takesCorrections)) return new Set()
  const blocked = await blockedAmong(transaction, ids)
  return new Set(ids.filter((id) => !blocked.has(id)))
}

/**
 * Adds correction lines at every destination that accepts them. A transaction with no line left to export counts as
 * exported again.
 */
export async function settleEverywhere(
  transaction: Transaction,
  destinations: readonly Destination[],
  ids: readonly number[],
  deed: Deed,
): Promise<void> {
  const taking = destinations.filter(takesCorrections)
  if (taking.length === 0) return
  const settled = new Map<number, boolean>()
  for (const destination of taking)
    for (const [id, isWaiting] of await settleNow(transaction, destination, ids, deed))
      settled.set(id, isWaiting || settled.get(id) === true)
  const current = await materialsById(transaction, [...settled.keys()])
  const done = [...settled].filter(
    ([id, isWaiting]) => !isWaiting && current.get(id)?.state === states.approved,
  )
  await standExported(
    transaction,
    done.map(([id]) => id),
    states.exported,
  )
}

/** The same for one destination. Returns, for each transaction it has received, whether a line is waiting. */
export async function settleNow(
  transaction: Transaction,
  destination: Destination,
  ids: readonly number[],
  deed: Deed,
): Promise<ReadonlyMap<number, boolean>> {
  if (ids.length === 0) return new Map()
  const current = await materialsById(transaction, ids)
  const settlements = ids.map((id): Settlement => {
    const material = current.get(id)
    const isApproved = material?.state === states.approved
    return { id, approved: material !== undefined && isApproved ? material : null }
  })
  return settle(transaction, destination, settlements, deed)
}

function takesCorrections({ corrections }: Destination): boolean {
  return corrections === 'lines'
}
