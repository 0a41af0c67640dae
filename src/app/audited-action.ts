// Audited actions: an action and its audit entry in one transaction.
import { inCompanyTransaction } from './company-transaction.ts'
import type { AppRequest } from './route.ts'
import type { WriteContext } from '../auth/action-context.ts'
import { insertAuditEntry, type AuditAction } from '../store/audit/audit.ts'
import type { Awaitable, Transaction } from '../store/store.ts'

export interface AuditedResult<Result> {
  readonly result: Result
  /** What the action is on; default: the company. */
  readonly target?: string
  /** The data of the audit entry: ids, counts and names of settings. */
  readonly auditData: object
}

/** Stores the action and its audit entry together, or neither. */
export function auditedAction<Result>(
  appRequest: AppRequest,
  action: AuditAction,
  execute: (transaction: Transaction, context: WriteContext) => Awaitable<AuditedResult<Result>>,
): Promise<Result> {
  return inCompanyTransaction(appRequest, async (transaction, context) => {
    const { result, target, auditData: data } = await execute(transaction, context)
    await insertAuditEntry(transaction, context, { action, target, data })
    return result
  })
}
