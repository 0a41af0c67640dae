// Acknowledge endpoints (interface 4.4.2): the receiver reports lines as stored or failed.
import { destinationWriteHandler, exportOperation } from './export-operation.ts'
import {
  resultsReply,
  listResultsInOrder,
  requireRanges,
  splitRanges,
  idListSchema,
} from '../write-pipeline/id-lists.ts'
import { parseClaimPathId } from '../odata/resource-url.ts'
import { ignoredNamesHeader, writeParametersOf, type Operation } from '../operation.ts'
import { errorReply, wantsStrict } from '../write-pipeline/handle-write.ts'
import { ApiError, type ItemResult } from '../../errors/api-error.ts'
import { formatTimestamp } from '../../lib/timestamp.ts'
import { getClaim, closeClaimIfReported } from '../../export/claim.ts'
import type { EvaluatedAcknowledgement, Acknowledgement } from '../../export/evaluate-acknowledgement.ts'
import { applyAcknowledgements, hasExternalIdMismatch, evaluateAcknowledgements } from '../../export/acknowledge.ts'
import { listIds } from '../../store/row-ranges.ts'
import { exportable, materialNames } from '../../model/transaction.ts'
import {
  parseIdListsBody,
  rejectUnknownFields,
  getText,
  type ListElement,
  type IdListsBody,
} from '../../engine/formats/read/read-id-lists.ts'
import { NumberText } from '../../engine/formats/read/row-sink.ts'

const common = {
  ...exportOperation,
  rule: '4.4.2',
  parameters: writeParametersOf(['dryRun', 'atomic']),
  isAtomicByDefault: false,
  listsIds: true,
} as const

/** `claimIdIn` returns the id of the claim that the URL names, or null. */
function acknowledgeOperation(summary: string, claimIdIn: (path: string) => number | null): Operation {
  return {
    ...common,
    summary,
    body: 'many',
    requestSchema: {
      type: 'object',
      properties: {
        ids: idListSchema,
        externalBatchId: { type: 'string' },
        items: { type: 'array', items: { type: 'object' } },
        failed: { type: 'array', items: { type: 'object' } },
      },
    },
    handle: destinationWriteHandler(common, async (write) => {
      const { request, isAtomic } = write
      const contentType = request.header('content-type')
      const body = await parseIdListsBody(write.body, contentType, knownFields)
      // By default unknown fields are ignored: a report is too important to lose for an extra field.
      if (wantsStrict(request)) rejectUnknownFields(body, knownFields)
      const elements = parseElements(body)
      const externalBatchId = getText(body.members, 'externalBatchId', textMax)
      return async ({ transaction, destination, context }) => {
        const claimId = claimIdIn(request.path)
        if (claimId !== null) await getClaim(transaction, destination, claimId)
        const evaluated = await evaluateAcknowledgements(
          transaction,
          destination,
          [...firstOfEachId(elements).values()],
          context,
        )
        const results = await listResults(elements, evaluated)
        const count = results.filter(({ code }) => !atomicCodes.has(code)).length
        if (isAtomic && count > 0)
          return errorReply(new ApiError('AtomicBatchFailed', { results, params: { count } }), request)
        const reply = await resultsReply(request, results, successCodes, 'NothingMarked')
        if (reply.status !== 200) return reply
        await applyAcknowledgements(transaction, destination, evaluated, { context, externalBatchId })
        if (claimId !== null) await closeClaimIfReported(transaction, destination, claimId, context)
        const ignored = ignoredNamesHeader('X-Ignored-Fields', [...body.unknownFields])
        return { ...reply, headers: { ...reply.headers, ...ignored } }
      }
    }),
  }
}

export const acknowledgeExportOperation = acknowledgeOperation('Acknowledge lines as stored or failed', () => null)

/** `Batch/7/Resultat`: also accepted after the claim has expired. */
export const acknowledgeClaimOperation = acknowledgeOperation(
  'Acknowledge lines of a claim as stored or failed',
  parseClaimPathId,
)

const knownFields = {
  idLists: ['ids'],
  objectLists: ['items', 'failed'],
  members: ['externalBatchId'],
  elementMembers: ['externalId', 'externalUrl', 'revision', 'exportedAt', 'code', 'message'],
} as const

/** Codes of a successful acknowledgement. */
const successCodes = new Set(['exported', 'already_exported', 'exported_with_correction', 'failed_recorded'])

/** Codes that `atomic` allows. */
const atomicCodes = new Set([...successCodes, 'duplicate_in_request'])

/** An element and its acknowledgement; null without a valid id, or with an invalid field. */
interface AcknowledgedElement {
  readonly element: ListElement
  readonly acknowledgement: Acknowledgement | null
}

/** `ids`, `items`, then `failed`. Throws `MissingField` where there is none of them. */
function parseElements(body: IdListsBody): AcknowledgedElement[] {
  const failed = new Set(body.lists.get('failed'))
  const elements = requireRanges(body, ['ids', 'items', 'failed'])
  const ids = listIds(elements.flatMap(({ id, length }) => (id === null ? [] : { id, length })))
  const hasRepeatedIds = new Set(ids).size < ids.length
  return (hasRepeatedIds ? splitRanges(elements) : elements).map((element) =>
    parseElement(element, failed.has(element)),
  )
}

function parseElement(element: ListElement, isFailure: boolean): AcknowledgedElement {
  const { id, length, members } = element
  if (id === null) return { element, acknowledgement: null }
  try {
    const failure = isFailure
      ? { code: getText(members, 'code', textMax), message: getText(members, 'message', messageMax) }
      : null
    const acknowledgement = {
      id,
      length,
      failure,
      revision: parseRevision(members),
      externalId: getText(members, 'externalId', textMax),
      externalUrl: getText(members, 'externalUrl', messageMax),
    }
    return { element, acknowledgement }
  } catch (error) {
    // The other elements are still acknowledged.
    if (error instanceof ApiError) return { element: { ...element, id: null }, acknowledgement: null }
    throw error
  }
}

const textMax = 200
const messageMax = 4000

/** Null if none was sent; an invalid revision becomes 0, which matches nothing. */
function parseRevision(members: ListElement['members']): number | null {
  const text = members.get('revision') ?? null
  if (text === null) return null
  const digits = text instanceof NumberText ? text.text : text
  return typeof digits === 'string' && /^\d{1,15}$/.test(digits) ? Number(digits) : 0
}

function firstOfEachId(elements: readonly AcknowledgedElement[]): Map<number, Acknowledgement> {
  const byId = new Map<number, Acknowledgement>()
  for (const { acknowledgement } of elements)
    if (acknowledgement !== null && !byId.has(acknowledgement.id)) byId.set(acknowledgement.id, acknowledgement)
  return byId
}

function listResults(
  elements: readonly AcknowledgedElement[],
  evaluated: readonly EvaluatedAcknowledgement[],
): Promise<ItemResult[]> {
  return listResultsInOrder(
    elements.map(({ element }) => element),
    new Map(evaluated.map((one) => [one.acknowledgement.id, one])),
    (one, id) => (one.code === 'already_exported' ? alreadyExportedResult(one) : { id, code: one.code }),
    ({ length }) => length,
  )
}

/** When the line was first acknowledged, by whom, and under which external id. */
function alreadyExportedResult(evaluated: EvaluatedAcknowledgement): ItemResult {
  const { acknowledgement, status, code } = evaluated
  const acknowledgedAt = status?.acknowledgedAt ?? null
  return {
    id: acknowledgement.id,
    code,
    [exportable.fields.exportedAt.wire]: acknowledgedAt === null ? null : formatTimestamp(acknowledgedAt),
    [materialNames.by]: status?.acknowledgedBy ?? null,
    [exportable.fields.externalId.wire]: status?.externalId ?? null,
    ...(hasExternalIdMismatch(evaluated) ? { externalIdMismatch: true } : {}),
  }
}
