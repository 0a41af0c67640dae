// Keyset pagination: continues a plan after the last record that was read, without an offset.
import { compare, conjunctionOf, constant } from './expressions/conditions.ts'
import { addLiteral } from './binding.ts'
import type { ReadPlan } from './read-plan.ts'
import type { ComparisonOperator, Condition, SortTerm, PlanValue } from './expressions/bound-expression.ts'
import { canBeNull, nullValue, typeOf } from './expressions/typed-value.ts'

/** The values of the sort terms at that record, as the store represents them. */
export type KeysetPosition = readonly (string | number | null)[]

/**
 * Restricts the plan to the records after the position; the record there need not exist any more. Null sorts first in
 * ascending order, and last in descending order.
 */
export function afterPosition(plan: ReadPlan, position: KeysetPosition): ReadPlan {
  const values: PlanValue[] = [...plan.values]
  const compareTerm = (order: SortTerm, operator: ComparisonOperator, one: KeysetPosition[number]): Condition => {
    const type = typeOf(order.value)
    const isOfNull = one === null || type === null
    return compare(operator, order.value, isOfNull ? nullValue : addLiteral({ values }, one, type))
  }
  const afterTerm = (order: SortTerm, one: KeysetPosition[number]): Condition => {
    if (one === null) return order.descending ? constant(false) : compareTerm(order, 'ne', null)
    if (!order.descending) return compareTerm(order, 'gt', one)
    const below = compareTerm(order, 'lt', one)
    if (!canBeNull(order.value)) return below
    return { kind: 'or', of: [below, compareTerm(order, 'eq', null)] }
  }
  const afterTerms = (index: number): Condition => {
    const order = plan.orderBy[index]
    if (order === undefined) return constant(false)
    const one = position[index] ?? null
    if (index === plan.orderBy.length - 1) return afterTerm(order, one)
    const same: Condition = { kind: 'and', of: [compareTerm(order, 'eq', one), afterTerms(index + 1)] }
    return { kind: 'or', of: [afterTerm(order, one), same] }
  }
  /** Implied by the other conditions, but in a form that an index range scan can use. */
  const indexBound = (): Condition[] => {
    const [first, ...others] = plan.orderBy
    const one = position[0] ?? null
    if (first === undefined || one === null || others.length === 0) return []
    if (!first.descending) return [compareTerm(first, 'ge', one)]
    return canBeNull(first.value) ? [] : [compareTerm(first, 'le', one)]
  }
  const own = plan.filter === null ? [] : withoutImplied(plan.filter, plan, position)
  return { ...plan, filter: conjunctionOf([...own, ...indexBound(), afterTerms(0)]), values, skip: 0 }
}

/**
 * Removes bounds of the filter that the position implies. An index range scan uses only one bound of a field: it must
 * be that of the position, not a weaker one.
 */
function withoutImplied(filter: Condition, plan: ReadPlan, [one]: KeysetPosition): Condition[] {
  const [first] = plan.orderBy
  const parts = filter.kind === 'and' ? filter.of : [filter]
  if (first?.value.kind !== 'field' || one === null || one === undefined) return [filter]
  const { recordNumber, field } = first.value
  const implied = first.descending ? ['lt', 'le'] : ['gt', 'ge']
  return parts.filter(
    (part) =>
      part.kind !== 'compare' ||
      part.left.kind !== 'field' ||
      part.left.recordNumber !== recordNumber ||
      part.left.field !== field ||
      part.right.kind !== 'literal' ||
      !implied.includes(part.operator),
  )
}
