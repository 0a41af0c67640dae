// Line query: search, order and window of a list of lines, in the query string.
import { invalidValueError, parseChoice } from './request-values.ts'
import type { Query } from '../engine/odata/options/query.ts'
import { message } from '../errors/messages.ts'
import { lineSorts, type LineSort } from '../store/material/line-order.ts'

/** Whether the list has every line that was ever exported; other lines are worked off. */
interface ListLength {
  readonly isUnbounded: boolean
}

/** Lower-case text; '' for all. Throws `InvalidValue` for an unbounded list, of which it would read every line. */
export function searchIn(query: Query, { isUnbounded }: ListLength): string {
  const search = query.get('search')?.trim().toLowerCase() ?? ''
  if (isUnbounded && search !== '') throw invalidValueError('search', message('notInExportedLines'))
  return search
}

/** Such as `amount`, or `-amount` for the largest first; undefined for the order of the list. Throws as `searchIn`. */
export function sortIn(query: Query, { isUnbounded }: ListLength): LineSort | undefined {
  const text = query.get('sort')
  if (text === undefined) return undefined
  if (isUnbounded) throw invalidValueError('sort', message('notInExportedLines'))
  return { by: parseChoice(text.replace(/^-/, ''), lineSorts, 'sort'), isDescending: text.startsWith('-') }
}
