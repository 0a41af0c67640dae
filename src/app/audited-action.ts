// Audited actions: an action and its audit entry in one transaction.
import { inCompanyTransaction } from './company-transaction.ts'
import type { AppRequest } from './route.ts'
import { insertAuditEntry, type AuditAction } from '../store/audit/audit.ts'
import type { Awaitable, Transaction } from '../store/store.ts'

export interface AuditedResult<Result> {
  readonly result: Result
  /** The data of the audit entry: ids, counts and names of settings. */
  readonly auditData: object
}

/** Stores the action and its audit entry together, or neither. */
export function auditedAction<Result>(
  appRequest: AppRequest,
  action: AuditAction,
  execute: (transaction: Transaction, now: number) => Awaitable<AuditedResult<Result>>,
): Promise<Result> {
  return inCompanyTransaction(appRequest, async (transaction, { actor, requestId, now }) => {
    const { result, auditData: data } = await execute(transaction, now)
    const entry = { at: now, actor, action, target: 'company', requestId, data }
    await insertAuditEntry(transaction, entry)
    return result
  })
}
