// Collection binding: `any`, `all` and `$count` over related records.
import { shown, unreadable } from '../../odata/options/option.ts'
import type { Count, Expression, Lambda, Name } from '../../odata/expressions/syntax.ts'
import { phrase } from '../../../errors/messages.ts'
import { bindSearch } from '../select/bind-search.ts'
import { follow } from '../binding.ts'
import { insideOf, meaningOf, nothingComputed, type Frame, type Spoken } from './scope.ts'
import type { Condition, Related } from './expression.ts'

type BindFilter = (frame: Frame, expression: Expression) => Condition

/** `all` means that no record fails the condition: true for an empty collection. */
export function bindLambda(
  frame: Frame,
  { quantifier, of, variable, condition }: Lambda,
  bindFilter: BindFilter,
): Condition {
  const { record, inside, ...related } = manyAt(frame, of)
  const isAny = quantifier === 'any'
  let filter: Condition | null = null
  if (condition !== null && variable !== null) {
    const variables = new Map(frame.variables).set(variable.name.toLowerCase(), record)
    const passes = bindFilter({ ...inside, variables }, condition)
    filter = isAny ? passes : { kind: 'not', of: passes }
  }
  const any: Condition = { kind: 'any', of: { ...related, joins: record.joins, filter } }
  return isAny ? any : { kind: 'not', of: any }
}

/** The records to count; inside the brackets names are those of the related records. */
export function bindCount(
  frame: Frame,
  { of, filter, search }: Count,
  bindFilter: BindFilter,
): Related {
  const { record, inside: around, ...related } = manyAt(frame, of)
  const inside = { ...around, record, computed: nothingComputed }
  const conditions = [
    ...(filter === null ? [] : [bindFilter(inside, filter)]),
    ...(search === null ? [] : [bindSearch(inside, search)]),
  ]
  return { ...related, joins: record.joins, filter: allOf(conditions) }
}

/** The conjunction of the conditions; null for none. */
export function allOf(conditions: readonly Condition[]): Condition | null {
  const [first, ...others] = conditions
  if (first === undefined) return null
  return others.length === 0 ? first : { kind: 'and', of: conditions }
}

/** The collection at the end of a path, and the scope of expressions about each of its records. */
export function manyAt(frame: Frame, names: readonly Name[]) {
  const meaning = meaningOf(frame, names)
  const last = names.at(-1)
  if (last === undefined) throw new Error('an empty path')
  if (meaning.kind !== 'relation' || !meaning.relation.isMany) {
    const problem = phrase('leadsToNoMany', { name: shown(last.name) })
    throw unreadable(frame.option, last.column, problem)
  }
  const { from, relation } = meaning
  const inside = insideOf(frame, relation, last)
  const number = follow(frame.binding, relation, frame.option, last)
  const view = { ...from.view, resource: relation.to }
  const record: Spoken = { view, number, joins: [], isJoined: false }
  return { record, inside, number, from: from.number, relation }
}
