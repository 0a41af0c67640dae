// Who acts on material, when and under which rules; and how an act tells of itself.
import type { Caller } from '../auth/caller.ts'
import { deedOf as anyDeedOf, type Deed as AnyDeed } from '../auth/action-context.ts'
import { ofIds, tell, type EventType } from '../notifications/webhooks/publish.ts'
import { materialTransaction } from '../model/transaction.ts'
import { writeAudit, type AuditAction } from '../store/audit/audit.ts'
import type { Transaction } from '../store/store.ts'

export interface Deed extends AnyDeed {
  /** Where usage comes from that does not say: the name of the key. */
  readonly source: string
  readonly zone: string
  /** Whether what was exported may be put right. */
  readonly mayApprove: boolean
}

/** What the caller does in one request. `now` in microseconds. */
export function deedOf(caller: Caller, requestId: string, now: number): Deed {
  return {
    ...anyDeedOf(caller, requestId, now),
    source: caller.source,
    zone: caller.company.zone,
    mayApprove: caller.scopes.has('material:approve'),
  }
}

/** Tells the audit what was done to which transactions or lines; nothing where there were none. */
export async function audit(
  transaction: Transaction,
  { actor, requestId, now }: Deed,
  action: AuditAction,
  ids: readonly number[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  if (ids.length === 0) return
  const target = materialTransaction.wire
  const data = { ids: inRuns(ids), ...more }
  await writeAudit(transaction, { at: now, actor, action, target, requestId, data })
}

/** Tells whoever asked what was done to which of them; nothing where there were none. */
export async function told(
  transaction: Transaction,
  { actor, requestId, now }: Deed,
  type: EventType,
  ids: readonly number[],
  more: Readonly<Record<string, string | number>> = {},
): Promise<void> {
  if (ids.length === 0) return
  const data = { ...ofIds(ids), ...more, actor, requestId }
  await tell(transaction, transaction.companyId, { type, at: now, data })
}

/** Ids as text, neighbours as `17-29`: a long list in a row is told in a word. */
function inRuns(ids: readonly number[]): string {
  const sorted = [...ids].sort((one, other) => one - other)
  const runs: { first: number; last: number }[] = []
  for (const id of sorted) {
    const run = runs.at(-1)
    if (run !== undefined && id <= run.last + 1) run.last = id
    else runs.push({ first: id, last: id })
  }
  return runs.map(({ first, last }) => (first === last ? first : `${first}-${last}`)).join(',')
}
