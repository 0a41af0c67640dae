// Acknowledge endpoints (interface 4.4.2): the receiver reports lines as stored or failed.
import { answerResults, resultsInOrder } from '../material/ids.ts'
import { answeringWrite } from '../odata/response.ts'
import { begun, idIn } from '../material/material-writes.ts'
import { ignoredNamesHeader, writeParametersOf, type Operation } from '../operation.ts'
import { perform, refused } from '../write-pipeline/idempotent-write.ts'
import { Fault, type Result } from '../../errors/catalog.ts'
import { writeStamp } from '../../lib/timestamp.ts'
import { claimOf, finishClaim } from '../../export/claim.ts'
import { deedOf } from '../../material/action-context.ts'
import type { Judged, Mark } from '../../export/evaluate-acknowledgement.ts'
import { applyMarks, isMismatch, judgeMarks } from '../../export/acknowledge.ts'
import { exportable, materialWords } from '../../model/transaction.ts'
import { flag } from '../../engine/odata/options/query.ts'
import { destinationOf } from '../../store/export/destinations.ts'
import { wantsStrict } from '../write-pipeline/write.ts'
import {
  readElements,
  requireKnown,
  textIn,
  type Element,
  type ElementsBody,
} from '../../engine/formats/read/read-elements.ts'
import { NumberText } from '../../engine/formats/read/row-sink.ts'

const scope = 'material:export'
const parameters = writeParametersOf(['dryRun', 'atomic'])

/** `isClaim`: the URL names the claim that is reported on. */
function marks(summary: string, isClaim: boolean): Operation {
  return {
    summary,
    rule: '4.4.2',
    scope,
    resource: exportable,
    input: null,
    parameters,
    body: 'many',
    takes: {
      type: 'object',
      properties: {
        ids: { type: 'array', items: { type: 'integer' } },
        externalBatchId: { type: 'string' },
        items: { type: 'array', items: { type: 'object' } },
        failed: { type: 'array', items: { type: 'object' } },
      },
    },
    answer: 'results',
    handle: async (request, serving) => {
      const { asked, query } = await begun(request, serving, { scope, parameters })
      answeringWrite(request)
      const isAtomic = flag(query, 'atomic', false)
      return perform({ ...asked, options: [String(isAtomic)] }, serving, async () => {
        const body = await readElements(asked.body, request.header('content-type'), known)
        // By default unknown fields are ignored: a report is too important to lose for an extra field.
        if (wantsStrict(request)) requireKnown(body, known)
        const elements = elementsIn(body)
        const externalBatchId = textIn(body.members, 'externalBatchId', textMax)
        const { caller, now } = asked
        return async (transaction) => {
          const destination = await destinationOf(
            transaction,
            caller.companyId,
            caller.credentialId,
          )
          if (isClaim) await claimOf(transaction, destination, idIn(request.path))
          const marks = onceEach(elements)
          const deed = deedOf(caller, request.id, now)
          const judged = await judgeMarks(transaction, destination, [...marks.values()], deed)
          const results = resultsOf(elements, judged)
          if (isAtomic && !results.every(({ code }) => harmless.has(code))) {
            const count = results.filter(({ code }) => !harmless.has(code)).length
            return refused(new Fault('NotAtomic', { results, says: { count } }), request)
          }
          const reply = answerResults(request, results, done, 'NothingMarked')
          if (reply.status !== 200) return reply
          await applyMarks(transaction, destination, judged, { deed, externalBatchId })
          if (isClaim) await finishClaim(transaction, destination, idIn(request.path), deed)
          const ignored = ignoredNamesHeader('X-Ignored-Fields', [...body.strangers])
          return { ...reply, headers: { ...reply.headers, ...ignored } }
        }
      })
    },
  }
}

export const marksExported = marks('Acknowledge lines as stored or failed', false)

/** `Batch/7/Resultat`: also accepted after the claim has expired. */
export const marksClaimed = marks('Acknowledge lines of a claim as stored or failed', true)

const known = {
  ofIds: ['ids'],
  ofObjects: ['items', 'failed'],
  members: ['externalBatchId'],
  ofElements: ['externalId', 'externalUrl', 'revision', 'exportedAt', 'code', 'message'],
} as const

/** Codes of a successful acknowledgement. */
const done = new Set([
  'exported',
  'already_exported',
  'exported_with_correction',
  'failed_recorded',
])

/** Codes that `atomic` allows. */
const harmless = new Set([...done, 'duplicate_in_request'])

/** An element and its acknowledgement; null without a valid id, or with an invalid field. */
interface Marking {
  readonly element: Element
  readonly mark: Mark | null
}

/** `ids`, `items`, then `failed`. Throws `MissingField` where there is none of them. */
function elementsIn({ lists: sent }: ElementsBody): Marking[] {
  const [ids, items, failed] = [sent.get('ids'), sent.get('items'), sent.get('failed')]
  if (ids === undefined && items === undefined && failed === undefined)
    throw new Fault('MissingField', { target: 'ids', says: { field: 'ids' } })
  return [
    ...[...(ids ?? []), ...(items ?? [])].map((element) => markingOf(element, false)),
    ...(failed ?? []).map((element) => markingOf(element, true)),
  ]
}

function markingOf(element: Element, isFailure: boolean): Marking {
  const { id, members } = element
  if (id === null) return { element, mark: null }
  try {
    const failure = isFailure
      ? { code: textIn(members, 'code', textMax), message: textIn(members, 'message', messageMax) }
      : null
    const mark = {
      id,
      failure,
      revision: revisionIn(members),
      externalId: textIn(members, 'externalId', textMax),
      externalUrl: textIn(members, 'externalUrl', messageMax),
    }
    return { element, mark }
  } catch (error) {
    // The other elements are still acknowledged.
    if (error instanceof Fault) return { element: { ...element, id: null }, mark: null }
    throw error
  }
}

const textMax = 200
const messageMax = 4000

/** Null if none was sent; an invalid revision becomes 0, which matches nothing. */
function revisionIn(members: Element['members']): number | null {
  const written = members.get('revision') ?? null
  if (written === null) return null
  const digits = written instanceof NumberText ? written.digits : written
  return typeof digits === 'string' && /^\d{1,15}$/.test(digits) ? Number(digits) : 0
}

/** The first acknowledgement of each id. */
function onceEach(elements: readonly Marking[]): Map<number, Mark> {
  const marks = new Map<number, Mark>()
  for (const { mark } of elements)
    if (mark !== null && !marks.has(mark.id)) marks.set(mark.id, mark)
  return marks
}

function resultsOf(elements: readonly Marking[], judged: readonly Judged[]): Result[] {
  return resultsInOrder(
    elements.map(({ element }) => element),
    new Map(judged.map((one) => [one.mark.id, one])),
    (one, id) => (one.code === 'already_exported' ? alreadyExported(one) : { id, code: one.code }),
  )
}

/** When the line was first acknowledged, by whom, and under which external id. */
function alreadyExported(judged: Judged): Result {
  const { mark, met, code } = judged
  const markedAt = met?.markedAt ?? null
  return {
    id: mark.id,
    code,
    [exportable.fields.exportedAt.wire]: markedAt === null ? null : writeStamp(markedAt),
    [materialWords.by]: met?.markedBy ?? null,
    [exportable.fields.externalId.wire]: met?.externalId ?? null,
    ...(isMismatch(judged) ? { externalIdMismatch: true } : {}),
  }
}
