// Retrieval log: written before the response starts; lines do not change (interface 3).
import { stampDay } from '../lib/timestamp.ts'
import { audit, type Deed } from '../material/action-context.ts'
import { noteServed, type Destination } from '../store/export/destinations.ts'
import {
  insertHandOut,
  insertServed,
  tallyAll,
  tallyOf,
  type Tally,
} from '../store/export/retrievals.ts'
import type { Transaction } from '../store/store.ts'

export interface HandOut extends Tally {
  readonly id: number
  /** Lines that became ready later belong to the next retrieval. */
  readonly at: number
}

/** Logs a retrieval of all lines that are ready for the destination. */
export async function handOutAll(
  transaction: Transaction,
  destination: Destination,
  deed: Deed,
): Promise<HandOut> {
  const at = transaction.counters.nextStamp(deed.now)
  const tally = await tallyAll(transaction, destination.id, at)
  const handOut = await note(transaction, destination, deed, { tally, at, query: null })
  await noteServed(transaction, destination, at)
  return handOut
}

/** Logs a retrieval of some lines, ids ascending; `query` is the request that selected them. */
export async function handOutSome(
  transaction: Transaction,
  destination: Destination,
  { lineIds, query, batchId }: { lineIds: readonly number[]; query: string; batchId?: number },
  deed: Deed,
): Promise<HandOut> {
  const at = transaction.counters.nextStamp(deed.now)
  const tally = await tallyOf(transaction, destination.id, lineIds)
  const handOut = await note(transaction, destination, deed, { tally, at, query, batchId })
  const { id: destinationId, servedAt } = destination
  const served = { destinationId, handOutId: handOut.id, servedAt, day: stampDay(at) }
  await insertServed(transaction, lineIds, served)
  return handOut
}

interface Noted {
  readonly tally: Tally
  readonly at: number
  readonly query: string | null
  readonly batchId?: number | undefined
}

async function note(
  transaction: Transaction,
  { id: destinationId }: Destination,
  deed: Deed,
  { tally, at, query, batchId }: Noted,
): Promise<HandOut> {
  const id = transaction.counters.take('handOutId')
  const { oldestReadyAt, ...sums } = tally
  const { actor, requestId } = deed
  await insertHandOut(transaction, {
    id,
    destinationId,
    actor,
    requestId,
    at,
    query,
    ...sums,
    batchId: batchId ?? null,
  })
  if (tally.count > 0) await audit(transaction, deed, 'hand-out', [id], { count: tally.count })
  return { ...sums, oldestReadyAt, id, at }
}
