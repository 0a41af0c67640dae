// Manual export actions: undo, close, retry, send back to approval; `dryRun` previews the results.
import { destinationWriteHandler, exportOperation } from './export-operation.ts'
import {
  resultsReply,
  distinctIds,
  listResultsInOrder,
  parseStrictElements,
  requireLists,
  requireReason,
  idListSchema,
} from '../write-pipeline/id-lists.ts'
import { writeParametersOf, type Operation } from '../operation.ts'
import { fieldError, type ItemResult } from '../../errors/api-error.ts'
import { errorMessage } from '../../errors/catalog.ts'
import type { Scope } from '../../auth/scopes.ts'
import type { Request } from '../../http/request.ts'
import { getClaim } from '../../export/claim.ts'
import {
  reasonCodes,
  applyLineAction,
  type CodedReason,
  type LineAction,
  type EvaluatedLineAction,
} from '../../export/line-actions.ts'
import { exportable, materialNames } from '../../model/transaction.ts'
import { message } from '../../errors/messages.ts'
import { listExportedLines } from '../../store/export/claims.ts'
import type { Destination } from '../../store/export/destinations.ts'
import type { Transaction } from '../../store/store.ts'
import { negotiateLanguage } from '../../engine/formats/negotiation/negotiate.ts'
import { getCount, getText, type ListElement, type IdListsBody } from '../../engine/formats/read/read-id-lists.ts'

const parameters = writeParametersOf(['dryRun'])

interface LineActionDescription extends Pick<Operation, 'summary'> {
  readonly action: LineAction
  readonly scope: Scope
  readonly requiresReason: boolean
  /** Whether the lines can be given by the id of their claim. */
  readonly acceptsClaimId?: true
}

function lineActionOperation({
  summary,
  action,
  scope,
  requiresReason,
  acceptsClaimId,
}: LineActionDescription): Operation {
  return {
    ...exportOperation,
    summary,
    scope,
    parameters,
    body: 'many',
    requestSchema: {
      type: 'object',
      required: [...(acceptsClaimId ? [] : ['ids']), ...(requiresReason ? [materialNames.reason] : [])],
      properties: {
        ids: idListSchema,
        ...(acceptsClaimId ? { batchId: { type: 'integer' } } : {}),
        [materialNames.reason]: { type: 'string' },
        [materialNames.reasonCode]: { enum: reasonCodes },
      },
    },
    handle: destinationWriteHandler({ scope, parameters, listsIds: true }, async (write) => {
      const members = [materialNames.reason, materialNames.reasonCode, ...(acceptsClaimId ? [claimIdField] : [])]
      const body = await parseStrictElements(write, { idLists: ['ids'], members })
      const claimId = acceptsClaimId ? parseClaimId(body) : null
      const named = claimId === null ? requireLists(body, ['ids']) : []
      const reason = parseReason(body, requiresReason)
      return async ({ transaction, destination, context }) => {
        const elements = claimId === null ? named : await listClaimLines(transaction, destination, claimId)
        const ids = distinctIds(elements)
        const decision = { action, reason, context }
        const outcomes = await applyLineAction(transaction, destination, ids, decision)
        const results = await listResults(elements, outcomes, destination, write.request)
        return resultsReply(write.request, results, new Set([action]))
      }
    }),
  }
}

/** Null when the lines are given by id. Throws for an invalid id, and `InvalidValue` together with `ids`. */
function parseClaimId({ members, lists }: IdListsBody): number | null {
  const id = getCount(members, claimIdField, { defaultValue: 0, max: Number.MAX_SAFE_INTEGER })
  if (id === 0) return null
  if (!lists.has('ids')) return id
  throw fieldError('InvalidValue', claimIdField, { problem: message('notCombinable', { other: 'ids' }) })
}

const claimIdField = 'batchId'

/** The exported lines of a claim, as elements. Throws `NotFound`. */
async function listClaimLines(
  transaction: Transaction,
  destination: Destination,
  claimId: number,
): Promise<ListElement[]> {
  const claim = await getClaim(transaction, destination, claimId)
  const lines = await listExportedLines(transaction, { ...claim, limit: Number.MAX_SAFE_INTEGER })
  return lines.map(({ lineId: id }) => ({ id, sent: id, length: 1, members: new Map() }))
}

/** Throws `MissingField` and `InvalidValue`. */
function parseReason(body: IdListsBody, requiresReason: boolean): CodedReason {
  const { reason, reasonCode } = materialNames
  const { members } = body
  const text = requiresReason ? requireReason(body) : (getText(members, reason, 4000) ?? '')
  const code = getText(members, reasonCode, 50) ?? 'other'
  if (reasonCodes.includes(code)) return { code, text }
  const problem = message('oneOf', { values: reasonCodes.join(', ') })
  throw fieldError('InvalidValue', reasonCode, { problem })
}

/** One result per element in request order, with amounts and warnings for the person who decides. */
function listResults(
  elements: readonly ListElement[],
  outcomes: readonly EvaluatedLineAction[],
  { lockDate }: Destination,
  request: Request,
): Promise<ItemResult[]> {
  const language = negotiateLanguage(request.header('accept-language'))
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]))
  return listResultsInOrder(elements, byId, ({ code, line, error }, id) => {
    if (line === undefined) return { id, code }
    const warnings = [
      ...(line.isCorrected === 1 ? ['already_corrected'] : []),
      ...(lockDate !== null && line.postingDate <= lockDate ? ['period_closed'] : []),
    ]
    return {
      id,
      code,
      [exportable.fields.quantity.wire]: line.quantity / 10_000,
      [exportable.fields.amount.wire]: line.amount === null ? null : line.amount / 10_000,
      [exportable.fields.externalId.wire]: line.externalId,
      ...(warnings.length === 0 ? {} : { warnings: warnings.join(' ') }),
      ...(error === undefined ? {} : { message: errorMessage(error.code, error.params, language) }),
    }
  })
}

export const undoExportOperation = lineActionOperation({
  summary: 'Undo the export of lines, with a reason',
  action: 'undone',
  scope: 'export:undo',
  requiresReason: true,
  acceptsClaimId: true,
})

export const closeLinesOperation = lineActionOperation({
  summary: 'Close lines that were handled elsewhere, with a reason',
  action: 'closed',
  scope: 'export:undo',
  requiresReason: true,
})

/** Needs no more than the scope for reporting failures. */
export const retryLinesOperation = lineActionOperation({
  summary: 'Clear the failures of lines, so that claims include them again',
  action: 'retried',
  scope: 'material:export',
  requiresReason: false,
})

export const sendBackOperation = lineActionOperation({
  summary: 'Send lines back to approval, with a reason',
  action: 'sent_back',
  scope: 'material:approve',
  requiresReason: true,
})
