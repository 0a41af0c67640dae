// SQL `order by` clauses.
import { sql } from 'kysely'
import type { SetPlan } from '../planner/read-plan.ts'
import type { Condition, FieldValue, SortTerm, Value } from '../planner/expressions/bound-expression.ts'
import {
  boundsOf,
  usableIndexes,
  isInOrder,
  isOwnField,
  type Bounds,
  type CompareCondition,
} from './index-selection.ts'
import { columnOfNumber } from './columns.ts'
import type { ExpressionBuilder } from './expressions.ts'
import type { Sql } from './dialect.ts'

/** The whole clause; empty without an order. */
export function orderBy(builder: ExpressionBuilder, plan: SetPlan): Sql {
  if (plan.orderBy.length === 0) return sql``
  const { unique = [] } = plan.resource
  // Order terms after a unique field decide nothing, but PostgreSQL would sort by them.
  const last = plan.orderBy.findIndex(({ value }) => isOwnField(plan, value) && unique.includes(value.field))
  const terms = last === -1 ? plan.orderBy : plan.orderBy.slice(0, last + 1)
  return sql`order by ${sql.join(terms.map((one) => orderTerm(builder, plan, one, null)))}`
}

/**
 * Nulls come first ascending and last descending (OData 4.01 part 1, 11.2.6.2); SQLite does so by itself.
 * Where the filter can search an index, the unary `+` keeps SQLite from scanning the whole company in the wanted order
 * instead: its planner does not know how few rows match. `computed` is an already computed value.
 */
export function orderTerm(
  builder: ExpressionBuilder,
  plan: SetPlan,
  { value, descending }: SortTerm,
  computed: Sql | null,
): Sql {
  const direction = descending ? sql`desc` : sql`asc`
  const isField = value.kind === 'field' && !(value.blankWhenNull && value.isJoined)
  const ordered =
    computed ?? (isField ? columnOfNumber(value.recordNumber, columnOf(plan, value)) : builder.value(value))
  if (builder.context.dialect === 'sqlite')
    return sql`${isField && needsSort(plan) ? sql`+` : sql``}${ordered} ${direction}`
  if (isField && (!value.isOptional || value.blankWhenNull)) return sql`${ordered} ${direction}`
  return sql`${ordered} ${direction} ${nullOrder(descending)}`
}

export function nullOrder(descending: boolean): Sql {
  return descending ? sql`nulls last` : sql`nulls first`
}

/** The order of the key is that of an index, so nothing is sorted. */
export function isInKeyOrder({ orderBy, resource, number }: SetPlan): boolean {
  return orderBy.length === resource.key.length && orderBy.every(({ value }) => isOwnField({ number }, value))
}

/** Among records with equal `clusteredBy` fields, the column that replaces the key in the clustered key sorts as the key does (ADR 0010). */
function columnOf(plan: SetPlan, { recordNumber, field }: FieldValue): string {
  const { clusteredKeyColumn, key } = plan.resource
  if (clusteredKeyColumn === undefined || recordNumber !== plan.number || field !== key[0]) return field
  return isInClusteredOrder(plan, boundsOf(plan)) ? clusteredKeyColumn : field
}

/** Whether the table is clustered in the order of the plan. */
export function isInClusteredOrder(plan: SetPlan, bounds: Bounds): boolean {
  const { clusteredBy, key } = plan.resource
  if (clusteredBy === undefined || plan.apply !== null) return false
  const last = plan.orderBy.at(-1)?.value
  const isOrdered = (field: string) =>
    plan.orderBy.some(({ value }) => isOwnField(plan, value) && value.field === field)
  return (
    last?.kind === 'field' &&
    last.field === key[0] &&
    clusteredBy.every((field) => bounds.fixed.has(field) || isOrdered(field)) &&
    isInOrder(plan, [...clusteredBy, ...key], bounds)
  )
}

/** Whether the records should be sorted, because no index that the filter can search is in the wanted order. */
function needsSort(plan: SetPlan): boolean {
  if (plan.filter === null || plan.apply !== null) return false
  const bounds = boundsOf(plan)
  if (isInClusteredOrder(plan, bounds)) return false
  const usable = usableIndexes(plan, bounds)
  if (usable.some((index) => isInOrder(plan, index, bounds))) return false
  if (usable.length > 0 || hasClusterBound(plan)) return true
  const [, second] = plan.resource.clusteredBy ?? []
  if (second === undefined) return false
  // For the few records since a timestamp, the table is scanned in its own order: in the order of the key, every row
  // of the company would be fetched at random.
  return bounds.fixed.has(second) || bounds.terms.some(({ condition }) => isLowerTimeBound(condition))
}

function isLowerTimeBound({ left, operator }: CompareCondition): boolean {
  return left.kind === 'field' && left.type === 'timestamp' && (operator === 'gt' || operator === 'ge')
}

/** Whether every match has a bound on the first of the fields that the table is clustered by. */
function hasClusterBound({ filter, resource, orderBy, number }: SetPlan): boolean {
  const [first] = resource.clusteredBy ?? []
  const isOn = (value: Value | undefined): boolean =>
    value?.kind === 'field' && value.recordNumber === number && value.field === first
  // The order of the table itself needs no sort.
  if (isOn(orderBy[0]?.value)) return false
  const isBound = (condition: Condition): boolean => {
    if (condition.kind === 'and') return condition.of.some(isBound)
    if (condition.kind === 'or') return condition.of.every(isBound)
    if (condition.kind === 'compare') return condition.operator !== 'ne' && isOn(condition.left)
    return condition.kind === 'in' && isOn(condition.left)
  }
  return filter !== null && first !== undefined && isBound(filter)
}
