// Actions on lists of ids: parse the ids, reply with one result per element (interface 4.4.2).
import { errorReply, type WriteReply } from '../write-pipeline/idempotent-write.ts'
import { ApiError, type ItemResult } from '../../errors/api-error.ts'
import type { Request } from '../../http/request.ts'
import { jsonContentType } from '../../engine/formats/negotiation/odata-format.ts'
import type { ListElement, ElementsBody } from '../../engine/formats/read/read-elements.ts'
import { serializeItemResults } from '../../engine/formats/write/write-outcomes.ts'

/** Throws `MissingField`. */
export function requireIds({ lists }: ElementsBody): readonly ListElement[] {
  const ids = lists.get('ids')
  if (ids === undefined)
    throw new ApiError('MissingField', { target: 'ids', params: { field: 'ids' } })
  return ids
}

/** The ids without duplicates. */
export function distinctIds(elements: readonly ListElement[]): number[] {
  return [...new Set(elements.flatMap(({ id }) => id ?? []))]
}

/** One result per element; repeated ids are reported as duplicates. `outcomes` has the result of each id. */
export function listResultsInOrder<Outcome>(
  elements: readonly ListElement[],
  outcomes: ReadonlyMap<number, Outcome>,
  resultOf: (outcome: Outcome, id: number) => ItemResult,
): ItemResult[] {
  const seen = new Set<number>()
  return elements.map(({ id, sent }): ItemResult => {
    if (id === null) return { id: sent, code: 'invalid' }
    const outcome = outcomes.get(id)
    if (outcome === undefined || seen.has(id)) return { id, code: 'duplicate_in_request' }
    seen.add(id)
    return resultOf(outcome, id)
  })
}

/** The results; an error that contains them when there are ids and none succeeded. */
export function resultsReply(
  request: Request,
  results: readonly ItemResult[],
  successes: ReadonlySet<string>,
  fault: 'NoItemsProcessed' | 'NothingMarked' = 'NoItemsProcessed',
): WriteReply {
  if (results.length > 0 && !results.some(({ code }) => successes.has(code)))
    return errorReply(new ApiError(fault, { results }), request)
  const headers = { 'Content-Type': jsonContentType }
  return { status: 200, headers, body: serializeItemResults(results, 'json') }
}
