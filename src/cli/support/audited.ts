// Audited operator actions: runs a change and writes its audit entry in one transaction.
import { openedByOperator } from '../../auth/caller.ts'
import type { World } from '../../server/environment.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { writeAudit, type AuditAction } from '../../store/audit/audit.ts'
import type { Store, Transaction, Writer } from '../../store/store.ts'
import type { UserTable } from '../../store/tables/accounts.ts'
import { companyIdsOf, findUser } from '../../store/accounts/users.ts'

export interface OperatorsAct<T> {
  readonly company: { readonly id: number }
  readonly action: AuditAction
  readonly act: (transaction: Transaction) => Promise<T>
  /** Data of the audit entry: ids, counts and names of settings. */
  readonly about: (done: T) => object
}

/** Stores the change and its audit entry together, or neither. */
export function audited<T>(
  store: Store,
  { clock }: World,
  { company, action, act, about }: OperatorsAct<T>,
): Promise<T> {
  return store.inTransaction(openedByOperator(company), async (transaction) => {
    const done = await act(transaction)
    const entry = { at: clock(), actor: 'operator', target: 'Firma', requestId: '' }
    await writeAudit(transaction, { ...entry, action, data: about(done) })
    return done
  })
}

/**
 * Like `runAudited` for the account of a person, with an entry in each of their companies. Throws an `OperatorError` when
 * there is no account with the address.
 */
export async function auditedOf(
  store: Store,
  world: World,
  email: string,
  { action, act }: { action: AuditAction; act: (writer: Writer, user: UserTable) => Promise<void> },
): Promise<void> {
  const user = await findUser(store, email)
  if (user === undefined) throw new OperatorError(`There is no user ${email}.`)
  const about = () => ({ user: user.id })
  const [first, ...others] = await companyIdsOf(store, user.id)
  if (first === undefined) return store.inHouseTransaction((writer) => act(writer, user))
  const doing = (transaction: Transaction) => act(transaction, user)
  await audited(store, world, { company: { id: first }, action, act: doing, about })
  for (const id of others)
    await audited(store, world, { company: { id }, action, act: async () => {}, about })
}
