// Actions on lists of ids: parse the ids, reply with one result per element (interface 4.4.2).
import { errorReply, type ReceivedWrite } from './handle-write.ts'
import { ApiError, fieldError, type ItemResult } from '../../errors/api-error.ts'
import { forEachRangeChunk } from '../../lib/yield-to-event-loop.ts'
import type { Request } from '../../http/request.ts'
import { listIds } from '../../store/row-ranges.ts'
import type { WriteReply } from '../../store/idempotency.ts'
import { materialNames, materialTransaction } from '../../model/transaction.ts'
import { jsonContentType } from '../../engine/formats/negotiation/odata-format.ts'
import {
  getText,
  parseIdListsBody,
  rejectUnknownFields,
  type IdListsBody,
  type KnownMembers,
  type ListElement,
} from '../../engine/formats/read/read-id-lists.ts'
import { serializeItemResults } from '../../engine/formats/write/item-results.ts'

/** The JSON schema of a list of ids. */
export const idListSchema = { type: 'array', items: { type: 'integer' } } as const

/** Parses a body whose unknown names are errors. */
export async function parseStrictElements(
  { body, request }: Pick<ReceivedWrite, 'body' | 'request'>,
  known: KnownMembers,
): Promise<IdListsBody> {
  const parsed = await parseIdListsBody(body, request.header('content-type'), known)
  rejectUnknownFields(parsed, known)
  return parsed
}

/** The elements of the lists, one list after the other. Throws `MissingField` where none of them was sent. */
export function requireLists(body: IdListsBody, names: readonly string[]): readonly ListElement[] {
  return splitRanges(requireRanges(body, names))
}

/** The same with consecutive ids as one element. */
export function requireRanges({ lists }: IdListsBody, names: readonly string[]): readonly ListElement[] {
  if (!names.some((name) => lists.has(name))) throw fieldError('MissingField', 'ids')
  return names.flatMap((name) => lists.get(name) ?? [])
}

/** An element per id. */
export function splitRanges(elements: readonly ListElement[]): ListElement[] {
  return elements.flatMap((element) => {
    const { id, length } = element
    if (id === null || length === 1) return element
    return listIds([{ id, length }]).map((each) => ({ ...element, id: each, sent: each, length: 1 }))
  })
}

/** Throws `MissingField`, `InvalidType` and `ValueTooLong`. */
export function requireReason({ members }: IdListsBody): string {
  const field = materialNames.reason
  const max = materialTransaction.fields.remark.lengthMax
  const text = getText(members, field, max)
  if (text === null || text.trim() === '') throw fieldError('MissingField', field)
  return text
}

export function distinctIds(elements: readonly ListElement[]): number[] {
  return [...new Set(elements.flatMap(({ id }) => id ?? []))]
}

/**
 * One result per id; repeated ids are reported as duplicates. `outcomes` has the outcome of each id, or of the first of as
 * many ids as `lengthOf` returns.
 */
export async function listResultsInOrder<Outcome>(
  elements: readonly ListElement[],
  outcomes: ReadonlyMap<number, Outcome>,
  resultOf: (outcome: Outcome, id: number) => ItemResult,
  lengthOf: (outcome: Outcome) => number = () => 1,
): Promise<ItemResult[]> {
  const seen = new Set<number>()
  const results: ItemResult[] = []
  const addResults = ({ id, sent, length }: ListElement): void => {
    if (id === null) {
      results.push({ id: sent, code: 'invalid' })
      return
    }
    const end = id + length
    for (let next = id; next < end;) {
      const outcome = outcomes.get(next)
      if (outcome === undefined || seen.has(next)) {
        results.push({ id: next++, code: 'duplicate_in_request' })
        continue
      }
      seen.add(next)
      for (const after = next + lengthOf(outcome); next < after; next++) results.push(resultOf(outcome, next))
    }
  }
  await forEachRangeChunk(elements, 5000, (chunk) => {
    for (const element of chunk) addResults(element)
  })
  return results
}

/** The results; an error that contains them when there are ids and none succeeded. */
export async function resultsReply(
  request: Request,
  results: readonly ItemResult[],
  successes: ReadonlySet<string>,
  errorCode: 'NoItemsProcessed' | 'NothingMarked' = 'NoItemsProcessed',
): Promise<WriteReply> {
  if (results.length > 0 && !results.some(({ code }) => successes.has(code)))
    return errorReply(new ApiError(errorCode, { results }), request)
  const headers = { 'Content-Type': jsonContentType }
  return { status: 200, headers, body: await serializeItemResults(results, 'json') }
}
