// Export operations: what they share, and the handler of those that write at the caller's destination.
import type { Handler } from '../operation.ts'
import { writeResponseFormat } from '../odata/response.ts'
import { writeHandler, type ReceivedWrite, type WriteHandlerOptions } from '../write-pipeline/handle-write.ts'
import type { DestinationWrite } from '../../export/line-actions.ts'
import { exportable } from '../../model/transaction.ts'
import { getCredentialDestination } from '../../store/export/destinations.ts'
import type { WriteReply } from '../../store/idempotency.ts'

export const exportOperation = {
  rule: '3',
  scope: 'material:export',
  resource: exportable,
  input: null,
  responseKind: 'results',
} as const

/** `prepare` parses the body, and returns what runs inside of the transaction. */
export function destinationWriteHandler(
  options: WriteHandlerOptions,
  prepare: (write: ReceivedWrite) => Promise<(on: DestinationWrite) => Promise<WriteReply>>,
): Handler {
  return writeHandler({ ...options, negotiate: writeResponseFormat }, async (write) => {
    const work = await prepare(write)
    return async (transaction) => {
      const destination = await getCredentialDestination(transaction, write.caller)
      return work({ transaction, destination, context: write.context })
    }
  })
}
