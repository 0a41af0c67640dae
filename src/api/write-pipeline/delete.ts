// Deletes, from request to reply: by the key in the URL, in one transaction, idempotent with a key.
import { findReply, keepReply, keyedRequest, replayed } from './idempotency.ts'
import { admit, writeParametersOf, type Operation } from '../operation.ts'
import { deedOf, type Deed } from '../../auth/action-context.ts'
import type { Request } from '../../http/request.ts'
import type { Transaction } from '../../store/store.ts'

export interface DeleteOptions extends Pick<Operation, 'summary' | 'rule' | 'scope' | 'resource'> {
  readonly headers?: Readonly<Record<string, string>>
  /** Throws `NotFound` when no record has the key in the URL. */
  readonly remove: (transaction: Transaction, request: Request, deed: Deed) => Promise<void>
}

export function deletes({
  summary,
  rule,
  scope,
  resource,
  remove,
  headers: own = {},
}: DeleteOptions): Operation {
  return {
    summary,
    rule,
    scope,
    resource,
    input: null,
    parameters,
    body: 'none',
    answer: 'nothing',
    handle: async (request, serving) => {
      const { caller, headers } = await admit(request, serving, { scope, parameters })
      const now = serving.clock()
      const keyed = keyedRequest(request, caller, { body: '', options: [], now })
      const { companyId, credentialId } = caller
      const isRepeat = await serving.runningKeys.hold(companyId, keyed, () =>
        serving.store.inTransaction(companyId, async (transaction) => {
          if ((await findReply(transaction, keyed)) !== null) return true
          await remove(transaction, request, deedOf(caller, request.id, now))
          await keepReply(transaction, keyed, done)
          return false
        }),
      )
      return {
        status: done.status,
        headers: { ...headers, ...own, ...(isRepeat ? replayed : {}) },
        body: null,
        about: { companyId, credentialId },
      }
    },
  }
}

const parameters = writeParametersOf([])

const done = { status: 204, headers: {}, body: null, ids: [], isList: false } as const
