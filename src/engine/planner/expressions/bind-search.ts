// Binding of `$search`: terms that occur in the text fields the caller may read (ADR 0021).
import type { SearchExpression } from '../../odata/expressions/syntax.ts'
import { addLiteral, type Binding } from '../binding.ts'
import { constant } from './conditions.ts'
import { fieldValue } from './field-value.ts'
import type { NameScope } from './scope.ts'
import { fieldsOf } from './resource-fields.ts'
import type { Condition, SearchCondition } from './bound-expression.ts'
import { callValue } from './typed-value.ts'

export function bindSearch(scope: NameScope, search: SearchExpression): Condition {
  const { resource, grantedScopes } = scope.record.view
  const texts = fieldsOf(resource)
    .all.filter(({ type, readScope }) => type === 'text' && (readScope === undefined || grantedScopes.has(readScope)))
    .map((field) => fieldValue(scope.record, field))
  if (texts.length === 0) return constant(false)
  const text = callValue('tolower', 'text', callValue('concatTexts', 'text', ...texts))
  return { kind: 'search', text, terms: toSearchCondition(search, scope.binding) }
}

function toSearchCondition(search: SearchExpression, binding: Binding): SearchCondition {
  return search.kind === 'term'
    ? { kind: 'term', term: addLiteral(binding, search.text.toLowerCase(), 'text') }
    : { kind: search.kind, of: search.operands.map((operand) => toSearchCondition(operand, binding)) }
}
