// Lines back on the list, or off it, by a person's decision: told per id, and told beforehand with `dryRun`.
import { answeringWrite } from '#api/odata-answer.ts'
import { begun } from '#api/material-writes.ts'
import { parametersOf, type Operation } from '#api/operation.ts'
import { perform, refused } from '#api/perform.ts'
import { Fault, type Result } from '#faults.ts'
import { deedOf } from '#materials/deed.ts'
import {
  closeExports,
  reasonCodes,
  undoExports,
  type Reason,
  type Returned,
} from '#materials/undo.ts'
import { exportable, materialWords } from '#model/transaction.ts'
import { phrase } from '#phrases.ts'
import { destinationOf, type Destination } from '#store/destinations.ts'
import { jsonContentType } from '#wire/odata-format.ts'
import { readElements, textIn, type Element, type ElementsBody } from '#wire/read-elements.ts'
import { writeOutcomes } from '#wire/write-outcomes.ts'

const scope = 'export:undo'
const parameters = parametersOf(['dryRun'], 'refused')

interface Returns extends Pick<Operation, 'summary'> {
  readonly act: typeof undoExports
  readonly code: Returned['code']
}

const returns = ({ summary, act, code }: Returns): Operation => ({
  summary,
  rule: '3',
  scope,
  resource: exportable,
  input: null,
  parameters,
  body: 'many',
  takes: {
    type: 'object',
    required: ['ids', materialWords.reason],
    properties: {
      ids: { type: 'array', items: { type: 'integer' } },
      [materialWords.reason]: { type: 'string' },
      [materialWords.reasonCode]: { enum: reasonCodes },
    },
  },
  answer: 'results',
  handle: async (request, serving) => {
    const { asked } = await begun(request, serving, { scope, parameters })
    answeringWrite(request)
    return perform(asked, serving, async () => {
      const contentType = request.header('content-type')
      const body = await readElements(asked.body, contentType, { ofIds: ['ids'], ofObjects: [] })
      const elements = idsIn(body)
      const reason = reasonIn(body)
      const { caller, now } = asked
      return async (transaction) => {
        const destination = await destinationOf(transaction, caller.companyId, caller.credentialId)
        const ids = [...new Set(elements.flatMap(({ id }) => id ?? []))]
        const deed = deedOf(caller, request.id, now)
        const outcomes = await act(transaction, destination, ids, { reason, deed })
        const results = resultsOf(elements, outcomes, destination)
        if (results.length > 0 && !results.some((one) => one.code === code))
          return refused(new Fault('NothingApplied', { results }), request)
        const headers = { 'Content-Type': jsonContentType }
        return { status: 200, headers, body: writeOutcomes(results, 'json') }
      }
    })
  },
})

/** Throws `MissingField`. */
const idsIn = ({ lists }: ElementsBody): readonly Element[] => {
  const ids = lists.get('ids')
  if (ids === undefined) throw new Fault('MissingField', { target: 'ids', says: { field: 'ids' } })
  return ids
}

/** Throws `MissingField` and `InvalidValue`. */
const reasonIn = ({ members }: ElementsBody): Reason => {
  const { reason: field, reasonCode } = materialWords
  const text = textIn(members, field, 4000)
  if (text === null || text.trim() === '')
    throw new Fault('MissingField', { target: field, says: { field } })
  const code = textIn(members, reasonCode, 50) ?? 'other'
  if (reasonCodes.includes(code)) return { code, text }
  const problem = phrase('oneOf', { values: reasonCodes.join(', ') })
  throw new Fault('InvalidValue', { target: reasonCode, says: { field: reasonCode, problem } })
}

/** One result per element, in the order of the request, with what a person should look at first. */
const resultsOf = (
  elements: readonly Element[],
  outcomes: readonly Returned[],
  { lockDate }: Destination,
): Result[] => {
  const left = new Map(outcomes.map((outcome) => [outcome.id, outcome]))
  return elements.map(({ id, sent }): Result => {
    if (id === null) return { id: sent, code: 'invalid' }
    const outcome = left.get(id)
    if (outcome === undefined) return { id, code: 'duplicate_in_request' }
    left.delete(id)
    const { code, met } = outcome
    if (met === undefined) return { id, code }
    const warnings = [
      ...(met.isCorrected === 1 ? ['already_corrected'] : []),
      ...(lockDate !== null && met.postingDate <= lockDate ? ['period_closed'] : []),
    ]
    return {
      id,
      code,
      [exportable.fields.quantity.wire]: met.quantity / 10_000,
      [exportable.fields.amount.wire]: met.amount === null ? null : met.amount / 10_000,
      [exportable.fields.externalId.wire]: met.externalId,
      ...(warnings.length === 0 ? {} : { warnings: warnings.join(' ') }),
    }
  })
}

export const undoesExports = returns({
  summary: 'Put exported lines back on the list, with a reason',
  act: undoExports,
  code: 'undone',
})

export const closesLines = returns({
  summary: 'Take lines off the list that were handled elsewhere, with a reason',
  act: closeExports,
  code: 'closed',
})
