// Actions on lists of ids: parse the ids, reply with one result per element (interface 4.4.2).
import { refused, type Answered } from '../write-pipeline/idempotent-write.ts'
import { Fault, type Result } from '../../errors/catalog.ts'
import type { Request } from '../../http/request.ts'
import { jsonContentType } from '../../engine/formats/negotiation/odata-format.ts'
import type { Element, ElementsBody } from '../../engine/formats/read/read-elements.ts'
import { writeOutcomes } from '../../engine/formats/write/write-outcomes.ts'

/** Throws `MissingField`. */
export function idsIn({ lists }: ElementsBody): readonly Element[] {
  const ids = lists.get('ids')
  if (ids === undefined) throw new Fault('MissingField', { target: 'ids', says: { field: 'ids' } })
  return ids
}

/** The ids without duplicates. */
export function distinctIds(elements: readonly Element[]): number[] {
  return [...new Set(elements.flatMap(({ id }) => id ?? []))]
}

/** One result per element; repeated ids are reported as duplicates. `outcomes` has the result of each id. */
export function resultsInOrder<Outcome>(
  elements: readonly Element[],
  outcomes: ReadonlyMap<number, Outcome>,
  resultOf: (outcome: Outcome, id: number) => Result,
): Result[] {
  const told = new Set<number>()
  return elements.map(({ id, sent }): Result => {
    if (id === null) return { id: sent, code: 'invalid' }
    const outcome = outcomes.get(id)
    if (outcome === undefined || told.has(id)) return { id, code: 'duplicate_in_request' }
    told.add(id)
    return resultOf(outcome, id)
  })
}

/** The results; an error that contains them when there are ids and none succeeded. */
export function answerResults(
  request: Request,
  results: readonly Result[],
  successes: ReadonlySet<string>,
  fault: 'NothingApplied' | 'NothingMarked' = 'NothingApplied',
): Answered {
  if (results.length > 0 && !results.some(({ code }) => successes.has(code)))
    return refused(new Fault(fault, { results }), request)
  const headers = { 'Content-Type': jsonContentType }
  return { status: 200, headers, body: writeOutcomes(results, 'json') }
}
