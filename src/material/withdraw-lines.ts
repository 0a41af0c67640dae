// Withdrawal of lines whose transaction is no longer approved, at every destination.
import type { WriteContext } from '../auth/action-context.ts'
import { ApiError } from '../errors/api-error.ts'
import { formatTimestamp, utcDate } from '../lib/timestamp.ts'
import { expireClaims, findClaimedLinesOfMaterials, type ClaimedLine } from '../store/export/claims.ts'
import type { Destination } from '../store/export/destinations.ts'
import { withdrawLinesAt } from '../store/material/approvals.ts'
import type { Transaction } from '../store/store.ts'

/** Withdraws the lines of these transactions that are ready. */
export async function withdrawLines(
  transaction: Transaction,
  ids: readonly number[],
  destinations: readonly Destination[],
): Promise<void> {
  for (const destination of destinations)
    await withdrawLinesAt(transaction, ids, destination, utcDate(destination.retrievedThrough))
}

/** By transaction: lines that a worker has claimed, which cannot be withdrawn. */
export async function findClaimed(
  transaction: Transaction,
  ids: readonly number[],
  { now }: WriteContext,
): Promise<ReadonlyMap<number, ClaimedLine>> {
  await expireClaims(transaction, now)
  const claimed = await findClaimedLinesOfMaterials(transaction, ids)
  return new Map(claimed.map((one) => [one.materialId, one]))
}

export function lineClaimedError({ lineId, holder, expiresAt }: ClaimedLine): ApiError {
  return new ApiError('LineClaimed', { params: { id: lineId, actor: holder, at: formatTimestamp(expiresAt) } })
}
