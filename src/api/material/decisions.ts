// Approval endpoints: decide on one transaction by its URL, or on a list of ids (interface 3).
import {
  resultsReply,
  distinctIds,
  listResultsInOrder,
  parseStrictElements,
  requireLists,
  requireReason,
  idListSchema,
} from '../write-pipeline/id-lists.ts'
import { writeResponseFormat } from '../odata/response.ts'
import { parseActionId } from '../odata/resource-url.ts'
import { entityReply, requireMaterialMatch } from './material-writes.ts'
import { writeParametersOf, type Operation } from '../operation.ts'
import { writeHandler, type ReceivedWrite } from '../write-pipeline/handle-write.ts'
import { planRepresentation } from '../write-pipeline/representation.ts'
import type { ItemResult } from '../../errors/api-error.ts'
import { errorMessage } from '../../errors/catalog.ts'
import type { Request } from '../../http/request.ts'
import { formatTimestamp } from '../../lib/timestamp.ts'
import { getMaterial, stateConflictError } from '../../material/change.ts'
import { decideTransactions, type Decision, type DecisionOutcome } from '../../material/decide.ts'
import { materialTransaction, materialNames } from '../../model/transaction.ts'
import { negotiateLanguage } from '../../engine/formats/negotiation/negotiate.ts'
import type { ListElement, IdListsBody } from '../../engine/formats/read/read-id-lists.ts'

type DecisionAction = Decision['action']

interface DecisionDescription extends Pick<Operation, 'summary'> {
  readonly action: DecisionAction
}

const common = {
  rule: '3',
  scope: 'material:approve',
  resource: materialTransaction,
  input: null,
  parameters: writeParametersOf(['dryRun']),
} as const
const handlerOptions = { ...common, negotiate: writeResponseFormat }

/** `Transaksjon(17)/Godkjenn`: replies with the transaction, or the error. */
export function decideOneOperation({ action, summary }: DecisionDescription): Operation {
  return {
    ...common,
    summary,
    body: action === 'reject' ? 'one' : 'none',
    ...(action === 'reject' ? { requestSchema: reasonSchema } : {}),
    responseKind: 'one',
    handle: writeHandler(handlerOptions, async (write, api) => {
      const representation = planRepresentation(materialTransaction, write, api.clock)
      const id = parseActionId(write.request.path, materialTransaction)
      const reason = action === 'reject' ? requireReason(await parseBody(write, action, [])) : null
      return async (transaction) => {
        if (write.request.header('if-match') !== undefined) await requireMaterialMatch(transaction, id, write.request)
        const decision = { action, reason }
        const [outcome] = await decideTransactions(transaction, [id], decision, write.context)
        if (outcome?.error !== undefined) throw outcome.error
        if (outcome?.current !== undefined) throw stateConflictError(outcome.current)
        return entityReply(transaction, await getMaterial(transaction, id), { representation })
      }
    }),
  }
}

/** `Transaksjon/Godkjenn` with ids: replies with one result per id. */
export function decideManyOperation({ action, summary }: DecisionDescription): Operation {
  return {
    ...common,
    summary,
    body: 'many',
    requestSchema: {
      type: 'object',
      required: action === 'reject' ? ['ids', materialNames.reason] : ['ids'],
      properties: { ids: idListSchema, ...(action === 'reject' ? reasonSchema.properties : {}) },
    },
    responseKind: 'results',
    handle: writeHandler({ ...handlerOptions, listsIds: true }, async (write) => {
      const body = await parseBody(write, action, ['ids'])
      const elements = requireLists(body, ['ids'])
      const reason = action === 'reject' ? requireReason(body) : null
      return async (transaction) => {
        const ids = distinctIds(elements)
        const outcomes = await decideTransactions(transaction, ids, { action, reason }, write.context)
        const results = await listResults(elements, outcomes, write.request)
        return resultsReply(write.request, results, successes)
      }
    }),
  }
}

const successes = new Set(['approved', 'already_approved', 'rejected', 'already_rejected', 'withdrawn'])

function parseBody(write: ReceivedWrite, action: DecisionAction, idLists: readonly string[]): Promise<IdListsBody> {
  const members = action === 'reject' ? [materialNames.reason] : []
  return parseStrictElements(write, { idLists, members })
}

function listResults(
  elements: readonly ListElement[],
  outcomes: readonly DecisionOutcome[],
  request: Request,
): Promise<ItemResult[]> {
  const language = negotiateLanguage(request.header('accept-language'))
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]))
  return listResultsInOrder(elements, byId, ({ code, current, error }, id) => ({
    id,
    code,
    ...(current && {
      [materialTransaction.fields.state.wire]: current.state,
      [materialNames.by]: current.decidedBy,
      [materialNames.at]: current.decidedAt === null ? null : formatTimestamp(current.decidedAt),
    }),
    ...(error === undefined ? {} : { message: errorMessage(error.code, error.params, language) }),
  }))
}

const reasonSchema = {
  type: 'object',
  required: [materialNames.reason],
  properties: { [materialNames.reason]: { type: 'string' } },
}
