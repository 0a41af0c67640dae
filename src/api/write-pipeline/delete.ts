// Deletes, from request to reply: by the key in the URL, in one transaction, idempotent with a key.
import { findReply, saveReply, identifyRequest, replayedHeader } from './idempotency.ts'
import { authorize, writeParametersOf, type Operation } from '../operation.ts'
import { actionContext, type ActionContext } from '../../auth/action-context.ts'
import type { Request } from '../../http/request.ts'
import type { Transaction } from '../../store/store.ts'

export interface DeleteOptions extends Pick<Operation, 'summary' | 'rule' | 'scope' | 'resource'> {
  readonly headers?: Readonly<Record<string, string>>
  /** Throws `NotFound` when no record has the key in the URL. */
  readonly delete: (
    transaction: Transaction,
    request: Request,
    context: ActionContext,
  ) => Promise<void>
}

export function deleteOperation({
  summary,
  rule,
  scope,
  resource,
  delete: deleteRecord,
  headers: extraHeaders = {},
}: DeleteOptions): Operation {
  return {
    summary,
    rule,
    scope,
    resource,
    input: null,
    parameters,
    body: 'none',
    responseKind: 'nothing',
    handle: async (request, api) => {
      const { caller, headers } = await authorize(request, api, { scope, parameters })
      const now = api.clock()
      const idempotent = identifyRequest(request, caller, { body: '', options: [], now })
      const { companyId, credentialId } = caller
      const isRepeat = await api.runningKeys.run(companyId, idempotent, () =>
        api.store.inTransaction(companyId, async (transaction) => {
          if ((await findReply(transaction, idempotent)) !== null) return true
          await deleteRecord(transaction, request, actionContext(caller, request.id, now))
          await saveReply(transaction, idempotent, noContent)
          return false
        }),
      )
      return {
        status: noContent.status,
        headers: { ...headers, ...extraHeaders, ...(isRepeat ? replayedHeader : {}) },
        body: null,
        logContext: { companyId, credentialId },
      }
    },
  }
}

const parameters = writeParametersOf([])

const noContent = { status: 204, headers: {}, body: null, ids: [], isList: false } as const
