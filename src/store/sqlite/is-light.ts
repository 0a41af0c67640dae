// Whether a read may run on the server's own thread, where nothing interrupts it and everybody else waits (ADR 0125).
import type { Condition, ReadPlan, Value } from '#plan/read-plan.ts'
import { shapeOf } from '#plan/shape.ts'
import { isByKey } from '#store/read-order.ts'

/** `pages` tells how large the file is; it is asked only where that matters. */
export const isLight = (plan: ReadPlan, pages: () => number): boolean => {
  if (plan.parts.length > 0) return plan.parts.every((part) => isLight(part, pages))
  if (multiplies(plan)) return false
  // What goes through everything once takes as long as there is, and as what is done with each record.
  return isBounded(plan) || pages() * shapeOf(plan).length <= workMax
}

/** It goes through all of one set for each record of another, and nobody knows how many those are. */
const multiplies = ({ collections, relations, apply }: ReadPlan): boolean =>
  (collections > 0 && relations > 1) || (apply?.steps.some(({ kind }) => kind === 'join') ?? false)

/** An index leads to its records, or it takes the first of them in the order in which they lie. */
const isBounded = (plan: ReadPlan): boolean => {
  if (plan.apply !== null || plan.collections > 0) return false
  return plan.filter === null ? isByKey(plan) && !plan.count : isNarrow(plan.filter, plan)
}

const isNarrow = (condition: Condition, plan: ReadPlan): boolean => {
  if (condition.kind === 'and') return condition.of.some((part) => isNarrow(part, plan))
  if (condition.kind === 'or') return condition.of.every((part) => isNarrow(part, plan))
  if (condition.kind === 'compare' && condition.operator === 'eq')
    return isPlace(condition.left, plan) && condition.right.kind === 'literal'
  return condition.kind === 'in' && isPlace(condition.left, plan)
}

/** The table lies in the order of this field, or this is its key. */
const isPlace = (value: Value, { number, resource }: ReadPlan): boolean =>
  value.kind === 'field' &&
  value.of === number &&
  (value.field === resource.clusteredBy || value.field === resource.key[0])

/**
 * Pages of the file times characters of the shape. Of 400,000 records in 14,000 pages a filter on one field, 100
 * characters, takes 0.3 s of the processor (measured): what may run here takes a third of that.
 */
const workMax = 500_000
