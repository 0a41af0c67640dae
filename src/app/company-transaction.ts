// Company transaction: work of a request in the user's company, with the context of its writes.
import type { AppRequest } from './route.ts'
import { writeContext, type WriteContext } from '../auth/action-context.ts'
import type { Awaitable, Transaction } from '../store/store.ts'

export function inCompanyTransaction<T>(
  { store, request, sessionUser, clock }: AppRequest,
  work: (transaction: Transaction, context: WriteContext) => Awaitable<T>,
): Promise<T> {
  const { caller } = sessionUser
  const context = writeContext(caller, request.id, clock())
  return store.inTransaction(caller.companyId, (transaction) => work(transaction, context))
}
