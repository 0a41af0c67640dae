// Keyset pagination: continues a plan after the last record that was read, without an offset.
import { typeOf } from '../expressions/arithmetic.ts'
import { allOf } from '../expressions/bind-lambda.ts'
import { canBeNull, constant } from '../expressions/compare-value.ts'
import type { ReadPlan } from '../read-plan.ts'
import type { Comparison, Condition, Order, PlanValue } from '../expressions/expression.ts'

/** The values of the sort terms at that record, as the store represents them. */
export type Position = readonly (string | number | null)[]

/** Adds the values of the sort terms to the plan as extra columns. */
export function withPositions(plan: ReadPlan): ReadPlan {
  return {
    ...plan,
    beside: plan.orderBy.map(({ value }) => value),
  }
}

/**
 * Restricts the plan to the records after the position; the record there need not exist any more. Null sorts first in
 * ascending order, and last in descending order.
 */
export function afterPosition(plan: ReadPlan, position: Position): ReadPlan {
  const values: PlanValue[] = [...plan.values]
  const compare = (order: Order, operator: Comparison, one: Position[number]): Condition => {
    const type = typeOf(order.value)
    if (one === null || type === null)
      return { kind: 'compare', operator, left: order.value, right: { kind: 'null' } }
    const index = values.push(one) - 1
    return { kind: 'compare', operator, left: order.value, right: { kind: 'literal', index, type } }
  }
  const beyond = (order: Order, one: Position[number]): Condition => {
    if (one === null) return order.descending ? constant(false) : compare(order, 'ne', null)
    if (!order.descending) return compare(order, 'gt', one)
    const below = compare(order, 'lt', one)
    if (!canBeNull(order.value)) return below
    return { kind: 'or', of: [below, compare(order, 'eq', null)] }
  }
  const behind = (index: number): Condition => {
    const order = plan.orderBy[index]
    if (order === undefined) return constant(false)
    const one = position[index] ?? null
    if (index === plan.orderBy.length - 1) return beyond(order, one)
    const same: Condition = { kind: 'and', of: [compare(order, 'eq', one), behind(index + 1)] }
    return { kind: 'or', of: [beyond(order, one), same] }
  }
  /** Implied by the other conditions, but in a form that an index range scan can use. */
  const bound = (): Condition[] => {
    const [first, ...others] = plan.orderBy
    const one = position[0] ?? null
    if (first === undefined || one === null || others.length === 0) return []
    if (!first.descending) return [compare(first, 'ge', one)]
    return canBeNull(first.value) ? [] : [compare(first, 'le', one)]
  }
  const own = plan.filter === null ? [] : withoutImplied(plan.filter, plan, position)
  return { ...plan, filter: allOf([...own, ...bound(), behind(0)]), values, skip: 0 }
}

/**
 * Removes bounds of the filter that the position implies. An index range scan uses only one bound of a field: it must
 * be that of the position, not a weaker one.
 */
function withoutImplied(filter: Condition, plan: ReadPlan, [one]: Position): Condition[] {
  const [first] = plan.orderBy
  const parts = filter.kind === 'and' ? filter.of : [filter]
  if (first?.value.kind !== 'field' || one === null || one === undefined) return [filter]
  const { of, field } = first.value
  const implied = first.descending ? ['lt', 'le'] : ['gt', 'ge']
  return parts.filter(
    (part) =>
      part.kind !== 'compare' ||
      part.left.kind !== 'field' ||
      part.left.of !== of ||
      part.left.field !== field ||
      part.right.kind !== 'literal' ||
      !implied.includes(part.operator),
  )
}
