// A plan goes on behind a record that was read before, found by what it is ordered by: nothing is counted off.
import { typeOf } from '../expressions/arithmetic.ts'
import { allOf } from '../expressions/bind-lambda.ts'
import { canBeNull, constant } from '../expressions/compare-value.ts'
import type { ReadPlan } from '../read-plan.ts'
import type { Comparison, Condition, Order, PlanValue } from '../expressions/expression.ts'

/** The value of each part of the order, as the store holds it. */
export type Position = readonly (string | number | null)[]

/** The plan with what makes a position beside each record. */
export function withPositions(plan: ReadPlan): ReadPlan {
  return {
    ...plan,
    beside: plan.orderBy.map(({ value }) => value),
  }
}

/**
 * The records of the plan that come behind the position, which need not be there any more. Null is before all values
 * where they rise, and behind them where they fall.
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
  /** Says no more than the rest, but in a form that an index can be entered with. */
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
 * Bounds of the filter that the position implies, because the record at the position met them and what comes after it lies
 * further on. An index is searched by one bound of a field: it must be that of the position, not an earlier one.
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
