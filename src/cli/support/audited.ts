// Audited operator actions: runs a change and writes its audit entry in one transaction.
import { companyIdForOperator } from '../../auth/caller.ts'
import type { Runtime } from '../../server/environment.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { insertAuditEntry, type AuditAction } from '../../store/audit/audit.ts'
import type { Store, Transaction, Writer } from '../../store/store.ts'
import type { UserTable } from '../../store/tables/accounts.ts'
import { listCompanyIds, findUser } from '../../store/accounts/users.ts'

export interface OperatorAction<T> {
  readonly company: { readonly id: number }
  readonly action: AuditAction
  readonly execute: (transaction: Transaction) => Promise<T>
  /** Data of the audit entry: ids, counts and names of settings. */
  readonly auditData: object | ((done: T) => object)
}

export interface UserAction {
  readonly email: string
  readonly action: AuditAction
  readonly execute: (writer: Writer, user: UserTable) => Promise<void>
}

/** Stores the change and its audit entry together, or neither. */
export function runAudited<T>(
  store: Store,
  { clock }: Runtime,
  { company, action, execute, auditData }: OperatorAction<T>,
): Promise<T> {
  return store.inTransaction(companyIdForOperator(company), async (transaction) => {
    const done = await execute(transaction)
    const data: object = typeof auditData === 'function' ? auditData(done) : auditData
    await insertAuditEntry(transaction, { actor: 'operator', requestId: '', now: clock() }, { action, data })
    return done
  })
}

/**
 * Like `runAudited` for the account of a person, with an entry in each of their companies. Throws an `OperatorError` when
 * there is no account with the address.
 */
export async function runAuditedForUser(
  store: Store,
  runtime: Runtime,
  { email, action, execute }: UserAction,
): Promise<void> {
  const user = await findUser(store, email)
  if (user === undefined) throw new OperatorError(`There is no user ${email}.`)
  const [first, ...others] = await listCompanyIds(store, user.id)
  if (first === undefined) return store.inSystemTransaction((writer) => execute(writer, user))
  const record = (id: number, work: (transaction: Transaction) => Promise<void>) =>
    runAudited(store, runtime, { company: { id }, action, execute: work, auditData: { user: user.id } })
  await record(first, (transaction) => execute(transaction, user))
  for (const id of others) await record(id, async () => {})
}
