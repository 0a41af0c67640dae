// Binding of `$search`: terms that occur in the text fields the caller may read (ADR 0021).
import type { Search } from '../../odata/expressions/syntax.ts'
import { call } from '../expressions/arithmetic.ts'
import { Comparer, constant } from '../expressions/compare-value.ts'
import { fieldValue } from '../expressions/field-expression.ts'
import type { Frame } from '../expressions/scope.ts'
import { fieldsOf } from '../expressions/names.ts'
import type { Condition, Sought } from '../expressions/expression.ts'

export function bindSearch(frame: Frame, search: Search): Condition {
  const { resource, rights } = frame.record.view
  const texts = fieldsOf(resource)
    .all.filter(({ type, right }) => type === 'text' && (right === undefined || rights.has(right)))
    .map((field) => fieldValue(frame.record, field))
  if (texts.length === 0) return constant(false)
  const text = call('tolower', 'text', call('texts', 'text', ...texts))
  const comparer = new Comparer(frame.binding, frame.option)
  return { kind: 'found', text, sought: soughtBy(search, comparer) }
}

function soughtBy(search: Search, comparer: Comparer): Sought {
  return search.kind === 'term'
    ? { kind: 'term', term: comparer.value(search.text.toLowerCase(), 'text') }
    : { kind: search.kind, of: search.operands.map((operand) => soughtBy(operand, comparer)) }
}
