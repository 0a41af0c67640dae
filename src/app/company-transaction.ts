// Company transactions: work of a request in the user's company, alone or with its audit entry.
import type { AppRequest } from './route.ts'
import { writeContext, type WriteContext } from '../auth/action-context.ts'
import { insertAuditEntry, type AuditAction } from '../store/audit/audit.ts'
import type { Awaitable, Transaction } from '../store/store.ts'

export function inCompanyTransaction<T>(
  { store, request, sessionUser, clock }: AppRequest,
  work: (transaction: Transaction, context: WriteContext) => Awaitable<T>,
): Promise<T> {
  const { caller } = sessionUser
  const context = writeContext(caller, request.id, clock())
  return store.inTransaction(caller.companyId, (transaction) => work(transaction, context))
}

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
