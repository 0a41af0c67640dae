// Whether a read may run on the server's own thread, where nothing interrupts it and everybody else waits (ADR 0125).
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import type { Condition, Value } from '../../engine/planner/expressions/expression.ts'
import { shapeOf } from '../../engine/planner/plan-cache-key.ts'
import { boundsOf, usableIndexes, indexPrefix, scannedIndex } from '../../engine/sql/plan-bounds.ts'

/** What is known of the database file. */
export interface Sizes {
  /** Its size in pages; called only where it matters. */
  readonly pages: () => number
  /** Whether an index finds at most `recordsMax` records for the plan, ignoring its order and page. */
  readonly isFew: (plan: ReadPlan) => boolean
}

/** Why a read is light (ADR 0125): the number of rows that SQLite visits is bounded. */
export type Lightness = 'lookup' | 'range' | 'small' | 'few'

/** For reading the records; null for a read that may take long. */
export function lightnessOfRows(plan: ReadPlan, sizes: Sizes): Lightness | null {
  return lightness(plan, sizes, isRangeScan)
}

/** For counting the records: a page does not bound that. */
export function lightnessOfCount(plan: ReadPlan, sizes: Sizes): Lightness | null {
  return lightness(plan, sizes, () => false)
}

function lightness(
  plan: ReadPlan,
  sizes: Sizes,
  isRange: (plan: ReadPlan) => boolean,
): Lightness | null {
  if (plan.parts.length > 0) {
    const parts = plan.parts.map((part) => lightness(part, sizes, isRange))
    return parts.includes(null) ? null : (parts[0] ?? null)
  }
  if (multiplies(plan)) return null
  const isPlain = plan.apply === null && plan.collections === 0
  if (isPlain && plan.filter !== null && isNarrow(plan.filter, plan)) return 'lookup'
  if (isPlain && isRange(plan)) return 'range'
  // What goes through everything once takes as long as there is, and as what is done with each record.
  if (sizes.pages() * shapeOf(plan).length <= workMax) return 'small'
  return isPlain && findsFew(plan, sizes) ? 'few' : null
}

/** It goes through all of one set for each record of another, and nobody knows how many those are. */
function multiplies({ collections, relations, apply }: ReadPlan): boolean {
  return (
    (collections > 0 && relations > 1) ||
    (apply?.steps.some(({ kind }) => kind === 'join') ?? false)
  )
}

/**
 * A range scan of an index in its order: every row that it visits is returned or skipped. Without `top` it is a stream,
 * and this holds for each of its chunks.
 */
function isRangeScan(plan: ReadPlan): boolean {
  return (
    plan.skip + (plan.top ?? 0) <= recordsMax && scannedIndex(plan, boundsOf(plan)) !== undefined
  )
}

function isNarrow(condition: Condition, plan: ReadPlan): boolean {
  if (condition.kind === 'and') return condition.of.some((part) => isNarrow(part, plan))
  if (condition.kind === 'or') return condition.of.every((part) => isNarrow(part, plan))
  if (condition.kind === 'compare' && condition.operator === 'eq')
    return isPlace(condition.left, plan) && condition.right.kind === 'literal'
  return condition.kind === 'in' && isPlace(condition.left, plan)
}

/** The table lies in the order of this field, or this is its key. */
function isPlace(value: Value, { number, resource }: ReadPlan): boolean {
  return (
    value.kind === 'field' &&
    value.of === number &&
    (value.field === resource.clusteredBy?.[0] || value.field === resource.key[0])
  )
}

/** Whichever usable index SQLite chooses, it finds few records there. */
function findsFew(plan: ReadPlan, { isFew }: Sizes): boolean {
  const bounds = boundsOf(plan)
  const usable = usableIndexes(plan, bounds)
  const part = (index: readonly string[]): ReadPlan => {
    const prefix = new Set(indexPrefix(index, bounds))
    const of = bounds.terms.flatMap(({ field, condition }) =>
      prefix.has(field) ? [condition] : [],
    )
    const filter: Condition | null = of.length === 0 ? null : { kind: 'and', of }
    return { ...plan, filter, joins: [], orderBy: [] }
  }
  return usable.length > 0 && usable.every((index) => isFew(part(index)))
}

/** So many records take some milliseconds to find, and ten times that to serialize, in chunks. */
export const recordsMax = 10_000

/**
 * Pages of the file times characters of the shape. Of 400,000 records in 14,000 pages a filter on one field, 100
 * characters, takes 0.3 s of the processor (measured): what may run here takes a third of that.
 */
const workMax = 500_000
