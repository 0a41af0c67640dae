// Approval endpoints: decide on one transaction by its URL, or on a list of ids (interface 3).
import { answerResults, distinctIds, idsIn, resultsInOrder } from './ids.ts'
import { answeringWrite } from '../odata/response.ts'
import { begun, entityOf, idIn } from './material-writes.ts'
import { writeParametersOf, type Operation } from '../operation.ts'
import { perform, type Performing } from '../write-pipeline/idempotent-write.ts'
import { Fault, sentence, type Result } from '../../errors/catalog.ts'
import { writeStamp } from '../../lib/timestamp.ts'
import { materialOf, stateConflict } from '../../material/change.ts'
import { decideOn, type Decision, type DecisionOutcome } from '../../material/decide.ts'
import { deedOf } from '../../material/action-context.ts'
import { materialTransaction, materialWords } from '../../model/transaction.ts'
import type { Decidable } from '../../store/material/approvals.ts'
import type { Transaction } from '../../store/store.ts'
import { languageOf } from '../../engine/formats/negotiation/negotiate.ts'
import {
  readElements,
  requireKnown,
  textIn,
  type Element,
  type ElementsBody,
} from '../../engine/formats/read/read-elements.ts'

type Act = Decision['act']

interface Described extends Pick<Operation, 'summary'> {
  readonly act: Act
}

const scope = 'material:approve'
const parameters = writeParametersOf(['dryRun'])
const common = { rule: '3', scope, resource: materialTransaction, input: null, parameters } as const

/** `Transaksjon(17)/Godkjenn`: replies with the transaction, or the error. */
export function decidesOnOne({ act, summary }: Described): Operation {
  return {
    ...common,
    summary,
    body: act === 'reject' ? 'one' : 'none',
    ...(act === 'reject' ? { takes: reasonSchema } : {}),
    answer: 'one',
    handle: async (request, serving) => {
      const { asked } = await begun(request, serving, { scope, parameters })
      answeringWrite(request)
      const id = idIn(request.path)
      return perform(asked, serving, async () => {
        const decision: Decision = {
          act,
          reason: act === 'reject' ? requiredReason(await bodyOf(asked, act, [])) : null,
        }
        return async (transaction) => {
          await decideOnOne(transaction, id, decision, asked)
          return entityOf(request, await materialOf(transaction, id))
        }
      })
    },
  }
}

async function decideOnOne(
  transaction: Transaction,
  id: number,
  decision: Decision,
  { caller, request, now }: Performing,
): Promise<void> {
  const deed = deedOf(caller, request.id, now)
  const [outcome] = await decideOn(transaction, [id], decision, deed)
  if (outcome?.fault !== undefined) throw outcome.fault
  if (outcome?.met !== undefined) throw stateConflict(outcome.met)
}

/** `Transaksjon/Godkjenn` with ids: replies with one result per id. */
export function decidesOnMany({ act, summary }: Described): Operation {
  return {
    ...common,
    summary,
    body: 'many',
    takes: idsSchema(act),
    answer: 'results',
    handle: async (request, serving) => {
      const { asked } = await begun(request, serving, { scope, parameters })
      answeringWrite(request)
      return perform(asked, serving, async () => {
        const body = await bodyOf(asked, act, ['ids'])
        const elements = idsIn(body)
        const decision: Decision = { act, reason: act === 'reject' ? requiredReason(body) : null }
        return async (transaction) => {
          const deed = deedOf(asked.caller, request.id, asked.now)
          const outcomes = await decideOn(transaction, distinctIds(elements), decision, deed)
          return answerResults(request, resultsOf(elements, outcomes, asked), successes)
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
async function bodyOf(
  { body, request }: Performing,
  act: Act,
  ofIds: readonly string[],
): Promise<ElementsBody> {
  const known = { ofIds, members: act === 'reject' ? [materialWords.reason] : [] }
  const read = await readElements(body, request.header('content-type'), known)
  requireKnown(read, known)
  return read
}

/** Throws `MissingField`, `InvalidType` and `ValueTooLong`. */
export function requiredReason({ members }: ElementsBody): string {
  const field = materialWords.reason
  const max = materialTransaction.fields.remark.lengthMax
  const text = textIn(members, field, max)
  if (text === null || text.trim() === '')
    throw new Fault('MissingField', { target: field, says: { field } })
  return text
}

function resultsOf(
  elements: readonly Element[],
  outcomes: readonly DecisionOutcome[],
  { request }: Performing,
): Result[] {
  const language = languageOf(request.header('accept-language'))
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]))
  return resultsInOrder(elements, byId, ({ code, met, fault }, id) => ({
    id,
    code,
    ...(met === undefined ? {} : metOf(met)),
    ...(fault === undefined ? {} : { message: sentence(fault.code, fault.says, language) }),
  }))
}

/** The current state, who set it, and when. */
function metOf({ state, decidedBy, decidedAt }: Decidable) {
  return {
    [materialTransaction.fields.state.wire]: state,
    [materialWords.by]: decidedBy,
    [materialWords.at]: decidedAt === null ? null : writeStamp(decidedAt),
  }
}

const reasonSchema = {
  type: 'object',
  required: [materialWords.reason],
  properties: { [materialWords.reason]: { type: 'string' } },
}

function idsSchema(act: Act) {
  return {
    type: 'object',
    required: act === 'reject' ? ['ids', materialWords.reason] : ['ids'],
    properties: {
      ids: { type: 'array', items: { type: 'integer' } },
      ...(act === 'reject' ? reasonSchema.properties : {}),
    },
  }
}
