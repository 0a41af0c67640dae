// Claimed lines: their transactions can neither be withdrawn nor changed.
import type { WriteContext } from '../auth/action-context.ts'
import { ApiError } from '../errors/api-error.ts'
import { formatTimestamp } from '../lib/timestamp.ts'
import { expireClaims, findClaimedLinesOfMaterials, type ClaimedLine } from '../store/export/claims.ts'
import type { Transaction } from '../store/store.ts'

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
