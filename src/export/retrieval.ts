// Retrieval log: written before the response starts; lines do not change (interface 3).
import { utcDate } from '../lib/timestamp.ts'
import type { WriteContext } from '../auth/action-context.ts'
import { auditMaterial } from '../material/audit-and-events.ts'
import { recordFullRetrieval, type Destination } from '../store/export/destinations.ts'
import {
  insertRetrieval,
  recordRetrievedLines,
  sumReadyLines,
  sumLines,
  type RetrievalTotals,
} from '../store/export/retrievals.ts'
import type { Transaction } from '../store/store.ts'

export interface LoggedRetrieval extends RetrievalTotals {
  readonly id: number
  /** Lines that became ready later belong to the next retrieval. */
  readonly at: number
}

/** Logs a retrieval of all lines that are ready for the destination. */
export async function logFullRetrieval(
  transaction: Transaction,
  destination: Destination,
  context: WriteContext,
): Promise<LoggedRetrieval> {
  const at = transaction.sequences.nextStamp(context.now)
  const totals = await sumReadyLines(transaction, destination.id, at)
  const retrieval = await logRetrieval(transaction, destination, context, { totals, at, query: null })
  await recordFullRetrieval(transaction, { id: destination.id, retrievedThrough: at })
  return retrieval
}

/** Logs a retrieval of some lines, ids ascending; `query` is the request that selected them. */
export async function logPartialRetrieval(
  transaction: Transaction,
  destination: Destination,
  { lineIds, query, claimId }: { lineIds: readonly number[]; query: string; claimId?: number },
  context: WriteContext,
): Promise<LoggedRetrieval> {
  const at = transaction.sequences.nextStamp(context.now)
  const totals = await sumLines(transaction, destination.id, lineIds)
  const retrieval = await logRetrieval(transaction, destination, context, { totals, at, query, claimId })
  const { id: destinationId, retrievedThrough } = destination
  const retrieved = { destinationId, retrievalId: retrieval.id, retrievedThrough, day: utcDate(at) }
  await recordRetrievedLines(transaction, lineIds, retrieved)
  return retrieval
}

interface RetrievalLogEntry {
  readonly totals: RetrievalTotals
  readonly at: number
  readonly query: string | null
  readonly claimId?: number | undefined
}

async function logRetrieval(
  transaction: Transaction,
  { id: destinationId }: Destination,
  context: WriteContext,
  { totals, at, query, claimId }: RetrievalLogEntry,
): Promise<LoggedRetrieval> {
  const id = transaction.sequences.next('retrievalId')
  const { oldestReadyAt, ...sums } = totals
  const { actor, requestId } = context
  await insertRetrieval(transaction, {
    id,
    destinationId,
    actor,
    requestId,
    at,
    query,
    ...sums,
    claimId: claimId ?? null,
  })
  if (totals.count > 0)
    await auditMaterial(transaction, context, 'retrieve', [id], { target: 'retrieval', count: totals.count })
  return { ...sums, oldestReadyAt, id, at }
}
