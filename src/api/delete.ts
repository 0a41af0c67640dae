// Deletes one revenue record by its key; its traces stay in the journal.
import { findReply, keepReply, keyedRequest, replayed } from '#api/idempotency.ts'
import { admit, parametersOf, type Operation } from '#api/operation.ts'
import { deedOf } from '#auth/deed.ts'
import { Fault } from '#faults.ts'
import { revenue } from '#model/revenue.ts'
import { phrase } from '#phrases.ts'
import { deleteRevenue } from '#revenue/delete.ts'

const scope = 'revenue:write'
const parameters = parametersOf([], 'refused')

export const deletesRevenue: Operation = {
  summary: 'Delete a revenue record',
  rule: '4.1',
  scope,
  resource: revenue,
  input: null,
  parameters,
  body: 'none',
  answer: 'nothing',
  handle: async (request, serving) => {
    const { caller, headers } = await admit(request, serving, { scope, parameters })
    const id = keyIn(request.path)
    const now = serving.clock()
    const keyed = keyedRequest(request, caller, { body: '', options: [], now })
    const { companyId, credentialId } = caller
    const isRepeat = await serving.runningKeys.hold(companyId, keyed, () =>
      serving.store.inTransaction(companyId, async (transaction) => {
        if ((await findReply(transaction, keyed)) !== null) return true
        await deleteRevenue(transaction, id, deedOf(caller, request.id, now))
        await keepReply(transaction, keyed, done)
        return false
      }),
    )
    return {
      status: done.status,
      headers: isRepeat ? { ...headers, ...replayed } : headers,
      body: null,
      about: { companyId, credentialId },
    }
  },
}

const done = { status: 204, headers: {}, body: null, ids: [], isList: false } as const

/** `Omsetning(17)`: digits between the brackets; anything else is no key of a record. */
const keyIn = (path: string): number => {
  const digits = /\((\d{1,15})\)\/?$/.exec(path)?.[1]
  if (digits === undefined) throw new Fault('NotFound', { says: { what: phrase('theAddress') } })
  return Number(digits)
}
