// Action context of material writes: who acts, when, under which rules; audit entries and events.
import type { Caller } from '../auth/caller.ts'
import { deedOf as anyDeedOf, type Deed as AnyDeed } from '../auth/action-context.ts'
import { ofIds, tell, type EventType } from '../notifications/webhooks/publish.ts'
import { materialTransaction } from '../model/transaction.ts'
import { writeAudit, type AuditAction } from '../store/audit/audit.ts'
import type { Transaction } from '../store/store.ts'

export interface Deed extends AnyDeed {
  /** The source of a transaction that names none: the name of the API key. */
  readonly source: string
  /** The company's IANA time zone. */
  readonly zone: string
  /** Whether exported transactions may be corrected. */
  readonly mayApprove: boolean
}

/** The context of one request by a caller. `now` is in microseconds. */
export function deedOf(caller: Caller, requestId: string, now: number): Deed {
  return {
    ...anyDeedOf(caller, requestId, now),
    source: caller.source,
    zone: caller.company.zone,
    mayApprove: caller.scopes.has('material:approve'),
  }
}

/** Writes one audit entry for an action on transactions or lines; none when `ids` is empty. */
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

/** Publishes one webhook event for an action on transactions or lines; none when `ids` is empty. */
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

/** Ids as compact text: consecutive ids become a range, `17-29`. */
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
