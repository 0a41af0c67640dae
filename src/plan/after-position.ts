// A plan goes on behind a record that was read before, found by what it is ordered by: nothing is counted off.
import { allOf } from '#plan/bind-address.ts'
import { constant } from '#plan/compare-field.ts'
import type {
  Comparison,
  Condition,
  FieldOperand,
  Order,
  PlanValue,
  ReadPlan,
} from '#plan/read-plan.ts'

/** The value of each field of the order, as the store holds it. */
export type Position = readonly (string | number | null)[]

/** The fields that a position has the values of. */
export const positionFields = ({ orderBy }: ReadPlan): readonly string[] =>
  orderBy.map(({ field }) => field)

/**
 * The records of the plan that come behind the position, which need not be there any more. Null is before all values
 * where they rise, and behind them where they fall.
 */
export const afterPosition = (plan: ReadPlan, position: Position): ReadPlan => {
  const values: PlanValue[] = [...plan.values]
  const value = (one: string | number): number => values.push(one) - 1
  const compare = (
    { field }: Order,
    operator: Comparison,
    one: string | number | null,
  ): Condition => {
    const { type = 'text' } = plan.resource.fields[field] ?? {}
    const left: FieldOperand = { kind: 'field', field, type }
    const right =
      one === null
        ? ({ kind: 'null' } as const)
        : ({ kind: 'value', index: value(one), type } as const)
    return { kind: 'compare', operator, left, right }
  }
  const isOptional = ({ field }: Order) => plan.resource.fields[field]?.optional === true
  const beyond = (order: Order, one: string | number | null): Condition => {
    if (one === null) return order.descending ? constant(false) : compare(order, 'ne', null)
    if (!order.descending) return compare(order, 'gt', one)
    const below = compare(order, 'lt', one)
    return isOptional(order) ? { kind: 'or', of: [below, compare(order, 'eq', null)] } : below
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
    const [first] = plan.orderBy
    const one = position[0] ?? null
    if (first === undefined || one === null || plan.orderBy.length === 1) return []
    if (!first.descending) return [compare(first, 'ge', one)]
    return isOptional(first) ? [] : [compare(first, 'le', one)]
  }
  const conditions = [...bound(), behind(0)]
  const filter = allOf(plan.filter === null ? conditions : [plan.filter, ...conditions])
  return { ...plan, filter, values, skip: 0 }
}
