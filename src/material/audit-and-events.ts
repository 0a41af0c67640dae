// Audit entries and events of material writes.
import type { WriteContext } from '../auth/action-context.ts'
import { materialTransaction } from '../model/transaction.ts'
import { insertAuditEntry, type AuditAction } from '../store/audit/audit.ts'
import type { Transaction } from '../store/store.ts'

/** `target` is what the ids are of; default: transactions and lines. */
interface AuditDetails extends Readonly<Record<string, unknown>> {
  readonly target?: 'claim' | 'retrieval'
}

/** Writes one audit entry for an action on transactions, lines, claims or retrievals; none when `ids` is empty. */
export async function auditMaterial(
  transaction: Transaction,
  { actor, requestId, now }: WriteContext,
  action: AuditAction,
  ids: readonly number[],
  details: AuditDetails = {},
): Promise<void> {
  if (ids.length === 0) return
  const { target = materialTransaction.wire, ...extraData } = details
  const data = { ids: toRanges(ids), ...extraData }
  await insertAuditEntry(transaction, { at: now, actor, action, target, requestId, data })
}

/** Ids as compact text: consecutive ids become a range, `17-29`. */
function toRanges(ids: readonly number[]): string {
  const sorted = [...ids].sort((one, other) => one - other)
  const ranges: { first: number; last: number }[] = []
  for (const id of sorted) {
    const range = ranges.at(-1)
    if (range !== undefined && id <= range.last + 1) range.last = id
    else ranges.push({ first: id, last: id })
  }
  return ranges.map(({ first, last }) => (first === last ? first : `${first}-${last}`)).join(',')
}
