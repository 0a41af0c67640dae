// Manual export actions: undo, close, retry, send back to approval; `dryRun` previews the results.
import { requiredReason } from '../material/decisions.ts'
import { answerResults, distinctIds, idsIn, resultsInOrder } from '../material/ids.ts'
import { answeringWrite } from '../odata/response.ts'
import { begun } from '../material/material-writes.ts'
import { writeParametersOf, type Operation } from '../operation.ts'
import { perform } from '../write-pipeline/idempotent-write.ts'
import { Fault, sentence, type Result } from '../../errors/catalog.ts'
import type { Scope } from '../../auth/scopes.ts'
import type { Request } from '../../http/request.ts'
import { claimOf } from '../../export/claim.ts'
import { deedOf } from '../../material/action-context.ts'
import {
  reasonCodes,
  returnLines,
  type Reason,
  type ReturnAct,
  type Returned,
} from '../../export/undo.ts'
import { exportable, materialWords } from '../../model/transaction.ts'
import { phrase } from '../../errors/messages.ts'
import { linesExported } from '../../store/export/claims.ts'
import { destinationOf, type Destination } from '../../store/export/destinations.ts'
import type { Transaction } from '../../store/store.ts'
import { languageOf } from '../../engine/formats/negotiation/negotiate.ts'
import {
  countIn,
  readElements,
  requireKnown,
  textIn,
  type Element,
  type ElementsBody,
} from '../../engine/formats/read/read-elements.ts'

const parameters = writeParametersOf(['dryRun'])

interface Returns extends Pick<Operation, 'summary'> {
  readonly act: ReturnAct
  readonly scope: Scope
  /** Whether a reason is required. */
  readonly isReasoned: boolean
  /** Whether the lines can be given by the id of their claim. */
  readonly takesBatch?: true
}

function returns({ summary, act, scope, isReasoned, takesBatch }: Returns): Operation {
  return {
    summary,
    rule: '3',
    scope,
    resource: exportable,
    input: null,
    parameters,
    body: 'many',
    takes: {
      type: 'object',
      required: [...(takesBatch ? [] : ['ids']), ...(isReasoned ? [materialWords.reason] : [])],
      properties: {
        ids: { type: 'array', items: { type: 'integer' } },
        ...(takesBatch ? { batchId: { type: 'integer' } } : {}),
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
        const known = { ofIds: ['ids'], members: membersOf(takesBatch) }
        const body = await readElements(asked.body, contentType, known)
        requireKnown(body, known)
        const claimId = takesBatch ? batchIdIn(body) : null
        const named = claimId === null ? idsIn(body) : []
        const reason = reasonIn(body, isReasoned)
        const { caller, now } = asked
        return async (transaction) => {
          const destination = await destinationOf(
            transaction,
            caller.companyId,
            caller.credentialId,
          )
          const elements =
            claimId === null ? named : await linesOf(transaction, destination, claimId)
          const ids = distinctIds(elements)
          const deed = deedOf(caller, request.id, now)
          const outcomes = await returnLines(transaction, destination, ids, { act, reason, deed })
          const results = resultsOf(elements, outcomes, destination, request)
          return answerResults(request, results, new Set([act]))
        }
      })
    },
  }
}

/** Null when the lines are given by id. Throws for an invalid id, and `InvalidValue` together with `ids`. */
function batchIdIn({ members, lists }: ElementsBody): number | null {
  const id = countIn(members, batchField, { absent: 0, max: Number.MAX_SAFE_INTEGER })
  if (id === 0) return null
  if (!lists.has('ids')) return id
  const says = { field: batchField, problem: phrase('notBoth', { other: 'ids' }) }
  throw new Fault('InvalidValue', { target: batchField, says })
}

const batchField = 'batchId'

function membersOf(takesBatch: true | undefined): readonly string[] {
  return [materialWords.reason, materialWords.reasonCode, ...(takesBatch ? [batchField] : [])]
}

/** The exported lines of a claim, as elements. Throws `NotFound`. */
async function linesOf(
  transaction: Transaction,
  destination: Destination,
  batchId: number,
): Promise<Element[]> {
  const batch = await claimOf(transaction, destination, batchId)
  const ids = await linesExported(transaction, batch)
  return ids.map((id) => ({ id, sent: id, members: new Map() }))
}

/** Throws `MissingField` and `InvalidValue`. */
function reasonIn(body: ElementsBody, isReasoned: boolean): Reason {
  const { reason, reasonCode } = materialWords
  const { members } = body
  const text = isReasoned ? requiredReason(body) : (textIn(members, reason, 4000) ?? '')
  const code = textIn(members, reasonCode, 50) ?? 'other'
  if (reasonCodes.includes(code)) return { code, text }
  const problem = phrase('oneOf', { values: reasonCodes.join(', ') })
  throw new Fault('InvalidValue', { target: reasonCode, says: { field: reasonCode, problem } })
}

/** One result per element in request order, with amounts and warnings for the person who decides. */
function resultsOf(
  elements: readonly Element[],
  outcomes: readonly Returned[],
  { lockDate }: Destination,
  request: Request,
): Result[] {
  const language = languageOf(request.header('accept-language'))
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]))
  return resultsInOrder(elements, byId, ({ code, met, fault }, id) => {
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
      ...(fault === undefined ? {} : { message: sentence(fault.code, fault.says, language) }),
    }
  })
}

export const undoesExports = returns({
  summary: 'Undo the export of lines, with a reason',
  act: 'undone',
  scope: 'export:undo',
  isReasoned: true,
  takesBatch: true,
})

export const closesLines = returns({
  summary: 'Close lines that were handled elsewhere, with a reason',
  act: 'closed',
  scope: 'export:undo',
  isReasoned: true,
})

/** Needs no more than the scope for reporting failures. */
export const retriesLines = returns({
  summary: 'Clear the failures of lines, so that claims include them again',
  act: 'retried',
  scope: 'material:export',
  isReasoned: false,
})

export const sendsBack = returns({
  summary: 'Send lines back to approval, with a reason',
  act: 'sent_back',
  scope: 'material:approve',
  isReasoned: true,
})
