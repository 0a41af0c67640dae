// Audit entries and events of material writes.
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'
import type { WriteContext } from '../auth/action-context.ts'
import { materialTransaction } from '../model/transaction.ts'
import { insertAuditEntry, type AuditAction } from '../store/audit/audit.ts'
import type { Transaction } from '../store/store.ts'

/**
 * Writes one audit entry for an action on transactions, lines, claims or retrievals; none when `ids` is empty. `target` is
 * what the ids are of; default: transactions and lines.
 */
export async function auditMaterial(
  transaction: Transaction,
  context: WriteContext,
  action: AuditAction,
  ids: readonly number[],
  details: { readonly target?: 'claim' | 'retrieval'; readonly [name: string]: unknown } = {},
): Promise<void> {
  if (ids.length === 0) return
  // The ids of a long list take a turn of their own.
  if (ids.length > longListIds) await yieldToEventLoop()
  const { target = materialTransaction.wire, ...extraData } = details
  const data = { ids: toRanges(ids), ...extraData }
  await insertAuditEntry(transaction, context, { action, target, data })
}

const longListIds = 5000

/** Ids as compact text: consecutive ids become a range, `17-29`. */
function toRanges(ids: readonly number[]): string {
  // Numbers of a typed array are sorted without a comparison function, which took 40 ms for 100,000 ids.
  const sorted = Float64Array.from(ids).sort()
  const ranges: string[] = []
  let from = 0
  for (const [index, id] of sorted.entries()) {
    if ((sorted[index + 1] ?? Infinity) <= id + 1) continue
    const first = sorted[from]
    ranges.push(first === id ? `${id}` : `${first}-${id}`)
    from = index + 1
  }
  return ranges.join(',')
}
