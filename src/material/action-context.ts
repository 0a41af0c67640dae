// Action context of material writes: who acts, when, under which rules; audit entries.
import type { Caller } from '../auth/caller.ts'
import {
  actionContext as callerContext,
  type ActionContext as CallerContext,
} from '../auth/action-context.ts'
import { materialTransaction } from '../model/transaction.ts'
import { insertAuditEntry, type AuditAction } from '../store/audit/audit.ts'
import type { Transaction } from '../store/store.ts'

export interface MaterialActionContext extends CallerContext {
  /** The source of a transaction that names none: the name of the API key. */
  readonly source: string
  /** The company's IANA time zone. */
  readonly zone: string
  /** Whether exported transactions may be corrected. */
  readonly mayApprove: boolean
}

/** The context of one request by a caller. `now` is in microseconds. */
export function materialActionContext(
  caller: Caller,
  requestId: string,
  now: number,
): MaterialActionContext {
  return {
    ...callerContext(caller, requestId, now),
    source: caller.source,
    zone: caller.company.zone,
    mayApprove: caller.scopes.has('material:approve'),
  }
}

/** `target` is what the ids are of; default: transactions and lines. */
interface AuditDetails extends Readonly<Record<string, unknown>> {
  readonly target?: 'claim' | 'retrieval'
}

/** Writes one audit entry for an action on transactions, lines, claims or retrievals; none when `ids` is empty. */
export async function auditMaterial(
  transaction: Transaction,
  { actor, requestId, now }: MaterialActionContext,
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
