// Audited actions: an action and its audit entry in one transaction.
import { textIn, type Fields } from './body.ts'
import type { AppRequest } from './route.ts'
import { actionContext } from '../auth/action-context.ts'
import { message, type LocalizedMessage } from '../errors/messages.ts'
import { insertAuditEntry, type AuditAction } from '../store/audit/audit.ts'
import type { Awaitable, Transaction } from '../store/store.ts'
import { ApiError } from '../errors/api-error.ts'

export interface AuditedResult<Result> {
  readonly result: Result
  /** The data of the audit entry: ids, counts and names of settings. */
  readonly auditData: object
}

/** Stores the action and its audit entry together, or neither. */
export async function auditedAction<Result>(
  { store, request, sessionUser, clock }: AppRequest,
  action: AuditAction,
  act: (transaction: Transaction, now: number) => Awaitable<AuditedResult<Result>>,
): Promise<Result> {
  const { caller } = sessionUser
  const { actor, requestId, now } = actionContext(caller, request.id, clock())
  const { result } = await store.inTransaction(caller.companyId, async (transaction) => {
    const done = await act(transaction, now)
    const entry = { at: now, actor, action, target: 'company', requestId, data: done.auditData }
    await insertAuditEntry(transaction, entry)
    return done
  })
  return result
}

export function numberIn(fields: Fields, name: string): number {
  const text = textIn(fields, name)
  if (!/^\d{1,15}$/.test(text)) throw invalidValueError(name, message('notAnAllowedValue'))
  return Number(text)
}

export function validateField(
  field: string,
  text: string,
  problemOf: (text: string) => LocalizedMessage | null,
): string {
  const problem = problemOf(text)
  if (problem !== null) throw invalidValueError(field, problem)
  return text
}

export function invalidValueError(field: string, problem: LocalizedMessage): ApiError {
  return new ApiError('InvalidValue', { target: field, params: { field, problem } })
}
