// Audited actions: an action and its audit entry in one transaction.
import type { AppRequest } from './route.ts'
import { actionContext } from '../auth/action-context.ts'
import { insertAuditEntry, type AuditAction } from '../store/audit/audit.ts'
import type { Awaitable, Transaction } from '../store/store.ts'

export interface AuditedResult<Result> {
  readonly result: Result
  /** The data of the audit entry: ids, counts and names of settings. */
  readonly auditData: object
}

/** Stores the action and its audit entry together, or neither. */
export async function auditedAction<Result>(
  { store, request, sessionUser, clock }: AppRequest,
  action: AuditAction,
  execute: (transaction: Transaction, now: number) => Awaitable<AuditedResult<Result>>,
): Promise<Result> {
  const { caller } = sessionUser
  const { actor, requestId, now } = actionContext(caller, request.id, clock())
  const { result } = await store.inTransaction(caller.companyId, async (transaction) => {
    const done = await execute(transaction, now)
    const entry = { at: now, actor, action, target: 'company', requestId, data: done.auditData }
    await insertAuditEntry(transaction, entry)
    return done
  })
  return result
}
