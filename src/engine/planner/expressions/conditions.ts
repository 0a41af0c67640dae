// Constructors of conditions.
import type { ComparisonOperator, Condition, Value } from './bound-expression.ts'
import { canBeNull, nullValue } from './typed-value.ts'

export function constant(is: boolean): Condition {
  return { kind: 'constant', is }
}

export function compare(operator: ComparisonOperator, left: Value, right: Value): Condition {
  return { kind: 'compare', operator, left, right }
}

export function nullCondition(value: Value): Condition {
  return compare('eq', value, nullValue)
}

export function notNullCondition(value: Value): Condition {
  return canBeNull(value) ? compare('ne', value, nullValue) : constant(true)
}

/** The conjunction of the conditions; null for none. */
export function conjunctionOf(conditions: readonly Condition[]): Condition | null {
  const [first, ...others] = conditions
  if (first === undefined) return null
  return others.length === 0 ? first : { kind: 'and', of: conditions }
}

/** The condition, or its negation. */
export function negateUnless(expected: boolean, condition: Condition): Condition {
  if (expected) return condition
  if (condition.kind === 'constant') return constant(!condition.is)
  return condition.kind === 'not' ? condition.of : { kind: 'not', of: condition }
}
