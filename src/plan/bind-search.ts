// `$search` becomes a condition: each term stands somewhere in the text that the caller may see (ADR 0021).
import type { Search } from '#odata/syntax.ts'
import { call } from '#plan/arithmetic.ts'
import { Comparer, constant } from '#plan/compare-value.ts'
import { fieldValue, type Frame } from '#plan/frame.ts'
import { fieldsOf } from '#plan/names.ts'
import type { Condition, Value } from '#plan/read-plan.ts'

export const bindSearch = (frame: Frame, search: Search): Condition => {
  const { resource, rights } = frame.record.view
  const texts = fieldsOf(resource)
    .all.filter(({ type, right }) => type === 'text' && (right === undefined || rights.has(right)))
    .map((field) => fieldValue(frame.record, field))
  if (texts.length === 0) return constant(false)
  const text = call('tolower', 'text', call('texts', 'text', ...texts))
  return conditionOf(search, text, new Comparer(frame.binding, frame.option))
}

/** Nothing here is null, so that what is not found is found not to be there. */
const conditionOf = (search: Search, text: Value, comparer: Comparer): Condition => {
  if (search.kind === 'term') {
    const term = comparer.value(search.text.toLowerCase(), 'text')
    return { kind: 'text', test: 'contains', left: text, right: term }
  }
  const [first, ...others] = search.operands.map((operand) => conditionOf(operand, text, comparer))
  if (first === undefined) throw new Error('a search without terms')
  return search.kind === 'not'
    ? { kind: 'not', of: first }
    : { kind: search.kind, of: [first, ...others] }
}
