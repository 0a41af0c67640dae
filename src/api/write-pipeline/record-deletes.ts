// Deletes of a record by the key in the URL.
import { authorizeWrite, handleWrite } from './handle-write.ts'
import { entityWriteParametersOf, type Operation } from '../operation.ts'
import type { ActionContext } from '../../auth/action-context.ts'
import type { Request } from '../../http/request.ts'
import type { Transaction } from '../../store/store.ts'

export interface DeleteOperationOptions extends Pick<Operation, 'summary' | 'rule' | 'scope' | 'resource'> {
  readonly headers?: Readonly<Record<string, string>>
  /** Throws `NotFound` when no record has the key in the URL. */
  readonly delete: (transaction: Transaction, request: Request, context: ActionContext) => Promise<void>
}

export function deleteOperation({
  delete: deleteRecord,
  headers = {},
  ...description
}: DeleteOperationOptions): Operation {
  const access = { scope: description.scope, parameters: deleteParameters }
  return {
    ...description,
    parameters: deleteParameters,
    input: null,
    body: 'none',
    responseKind: 'nothing',
    handle: async (request, api) => {
      const write = await authorizeWrite(request, api, access)
      return handleWrite(
        { ...write, body: noBody, headers: { ...write.headers, ...headers } },
        api,
        async ({ context }) =>
          async (transaction) => {
            await deleteRecord(transaction, request, context)
            return { status: 204, headers: {}, body: null }
          },
      )
    },
  }
}

const deleteParameters = entityWriteParametersOf([])

const noBody = Buffer.alloc(0)
