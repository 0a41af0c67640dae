// Approval endpoints: decide on one transaction by its URL, or on a list of ids (interface 3).
import { resultsReply, distinctIds, requireIds, listResultsInOrder } from './ids.ts'
import { writeResponseFormat } from '../odata/response.ts'
import { beginWrite, entityReply, parseId } from './material-writes.ts'
import { writeParametersOf, type Operation } from '../operation.ts'
import { executeWrite, type IdempotentWrite } from '../write-pipeline/idempotent-write.ts'
import { ApiError, type ItemResult } from '../../errors/api-error.ts'
import { errorMessage } from '../../errors/catalog.ts'
import { formatTimestamp } from '../../lib/timestamp.ts'
import { getMaterial, stateConflictError } from '../../material/change.ts'
import { decideTransactions, type Decision, type DecisionOutcome } from '../../material/decide.ts'
import { materialActionContext } from '../../material/action-context.ts'
import { materialTransaction, materialNames } from '../../model/transaction.ts'
import type { DecisionCandidate } from '../../store/material/approvals.ts'
import type { Transaction } from '../../store/store.ts'
import { negotiateLanguage } from '../../engine/formats/negotiation/negotiate.ts'
import {
  parseElementsBody,
  rejectUnknownFields,
  getText,
  type ListElement,
  type ElementsBody,
} from '../../engine/formats/read/read-elements.ts'

type DecisionAction = Decision['action']

interface DecisionDescription extends Pick<Operation, 'summary'> {
  readonly action: DecisionAction
}

const scope = 'material:approve'
const parameters = writeParametersOf(['dryRun'])
const common = { rule: '3', scope, resource: materialTransaction, input: null, parameters } as const

/** `Transaksjon(17)/Godkjenn`: replies with the transaction, or the error. */
export function decideOneOperation({ action, summary }: DecisionDescription): Operation {
  return {
    ...common,
    summary,
    body: action === 'reject' ? 'one' : 'none',
    ...(action === 'reject' ? { requestSchema: reasonSchema } : {}),
    responseKind: 'one',
    handle: async (request, api) => {
      const { write } = await beginWrite(request, api, { scope, parameters })
      writeResponseFormat(request)
      const id = parseId(request.path)
      return executeWrite(write, api, async () => {
        const decision: Decision = {
          action,
          reason: action === 'reject' ? requiredReason(await readBody(write, action, [])) : null,
        }
        return async (transaction) => {
          await decideOnOne(transaction, id, decision, write)
          return entityReply(request, await getMaterial(transaction, id))
        }
      })
    },
  }
}

async function decideOnOne(
  transaction: Transaction,
  id: number,
  decision: Decision,
  { caller, request, now }: IdempotentWrite,
): Promise<void> {
  const context = materialActionContext(caller, request.id, now)
  const [outcome] = await decideTransactions(transaction, [id], decision, context)
  if (outcome?.fault !== undefined) throw outcome.fault
  if (outcome?.current !== undefined) throw stateConflictError(outcome.current)
}

/** `Transaksjon/Godkjenn` with ids: replies with one result per id. */
export function decideManyOperation({ action, summary }: DecisionDescription): Operation {
  return {
    ...common,
    summary,
    body: 'many',
    requestSchema: idsSchema(action),
    responseKind: 'results',
    handle: async (request, api) => {
      const { write } = await beginWrite(request, api, { scope, parameters })
      writeResponseFormat(request)
      return executeWrite(write, api, async () => {
        const body = await readBody(write, action, ['ids'])
        const elements = requireIds(body)
        const decision: Decision = {
          action,
          reason: action === 'reject' ? requiredReason(body) : null,
        }
        return async (transaction) => {
          const context = materialActionContext(write.caller, request.id, write.now)
          const outcomes = await decideTransactions(
            transaction,
            distinctIds(elements),
            decision,
            context,
          )
          return resultsReply(request, listResults(elements, outcomes, write), successes)
        }
      })
    },
  }
}

const successes = new Set([
  'approved',
  'already_approved',
  'rejected',
  'already_rejected',
  'withdrawn',
])

/** Throws `UnknownField`. */
async function readBody(
  { body, request }: IdempotentWrite,
  action: DecisionAction,
  ofIds: readonly string[],
): Promise<ElementsBody> {
  const known = { idLists: ofIds, members: action === 'reject' ? [materialNames.reason] : [] }
  const read = await parseElementsBody(body, request.header('content-type'), known)
  rejectUnknownFields(read, known)
  return read
}

/** Throws `MissingField`, `InvalidType` and `ValueTooLong`. */
export function requiredReason({ members }: ElementsBody): string {
  const field = materialNames.reason
  const max = materialTransaction.fields.remark.lengthMax
  const text = getText(members, field, max)
  if (text === null || text.trim() === '')
    throw new ApiError('MissingField', { target: field, params: { field } })
  return text
}

function listResults(
  elements: readonly ListElement[],
  outcomes: readonly DecisionOutcome[],
  { request }: IdempotentWrite,
): ItemResult[] {
  const language = negotiateLanguage(request.header('accept-language'))
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]))
  return listResultsInOrder(elements, byId, ({ code, current, fault }, id) => ({
    id,
    code,
    ...(current === undefined ? {} : stateFields(current)),
    ...(fault === undefined ? {} : { message: errorMessage(fault.code, fault.params, language) }),
  }))
}

/** The current state, who set it, and when. */
function stateFields({ state, decidedBy, decidedAt }: DecisionCandidate) {
  return {
    [materialTransaction.fields.state.wire]: state,
    [materialNames.by]: decidedBy,
    [materialNames.at]: decidedAt === null ? null : formatTimestamp(decidedAt),
  }
}

const reasonSchema = {
  type: 'object',
  required: [materialNames.reason],
  properties: { [materialNames.reason]: { type: 'string' } },
}

function idsSchema(action: DecisionAction) {
  return {
    type: 'object',
    required: action === 'reject' ? ['ids', materialNames.reason] : ['ids'],
    properties: {
      ids: { type: 'array', items: { type: 'integer' } },
      ...(action === 'reject' ? reasonSchema.properties : {}),
    },
  }
}
