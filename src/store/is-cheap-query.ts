// Cheap queries: they visit few rows, and so run at once; all others need a read slot (ADR 0015).
import type { ReadPlan } from '../engine/planner/read-plan.ts'
import type { Condition, Value } from '../engine/planner/expressions/bound-expression.ts'
import { oncePerShape } from '../engine/planner/plan-shape.ts'
import { statementKey } from '../engine/planner/statement-key.ts'
import {
  boundsOf,
  usableIndexes,
  indexPrefix,
  isScanned,
  readsChangeLog,
  scannedIndex,
  skipScanPrefix,
  type Bounds,
} from '../engine/sql/index-selection.ts'

/** Sizes in the database file that bound the cost of a query. */
export interface DatabaseSizes {
  /** The size of the file in pages; called only where needed. */
  readonly pages: () => number
  /** Whether an index finds at most `recordsMax` records for the plan, ignoring its order and page. */
  readonly isFew: (plan: ReadPlan) => boolean
  /** Whether the entries of a change log up to the end of the page are at most `recordsMax`. */
  readonly isShortChangeLog: (plan: ReadPlan) => boolean
  /** The days that the skip scan of the plan visits at most. */
  readonly skipScanDays: (plan: ReadPlan) => number
}

/** Of a database whose sizes take a query to read: only what the plan itself bounds is cheap. */
export const unknownSizes: DatabaseSizes = {
  pages: () => Infinity,
  isFew: isOfOneChain,
  isShortChangeLog: () => true,
  skipScanDays: () => Infinity,
}

/** Why a query is cheap (ADR 0015): the number of rows that the database visits is bounded. */
export type CheapQueryKind = 'lookup' | 'range' | 'small' | 'few'

/** For a query that reads the records; null for one that may take long. */
export function classifyRowQuery(plan: ReadPlan, sizes: DatabaseSizes): CheapQueryKind | null {
  return classify(plan, sizes, ({ skip, top }) => skip + (top ?? 0) <= recordsMax)
}

/** For a query that counts the records, which a page does not bound. */
export function classifyCountQuery(plan: ReadPlan, sizes: DatabaseSizes): CheapQueryKind | null {
  return classify(plan, sizes, () => false)
}

function classify(plan: ReadPlan, sizes: DatabaseSizes, isPage: (plan: ReadPlan) => boolean): CheapQueryKind | null {
  if (plan.unionPlans.length > 0) {
    const parts = plan.unionPlans.map((part) => classify(part, sizes, isPage))
    return parts.includes(null) ? null : (parts[0] ?? null)
  }
  const kind = boundedKind(plan)
  if (kind === 'lookup') return kind
  if (kind === 'range' && isPage(plan) && (!readsByChangeLog(plan) || sizes.isShortChangeLog(plan))) return kind
  const { collectionCount, relationCount, apply } = plan
  // It scans one set for each record of another, whose number is unknown.
  if ((collectionCount > 0 && relationCount > 1) || apply?.steps.some(({ kind }) => kind === 'join')) return null
  // A full scan takes time in proportion to the size of the file and to the work per record.
  if (sizes.pages() * keyLength(plan) <= costMax) return 'small'
  return isPlain(plan) && (visitsFewDays(plan, sizes, isPage) || matchesFew(plan, sizes)) ? 'few' : null
}

/** Whether the plan by itself bounds the rows: those of a lookup, or a page of a range. */
const boundedKind = oncePerShape((plan): 'lookup' | 'range' | null => {
  if (!isPlain(plan)) return null
  if (plan.filter !== null && isLookup(plan.filter, plan)) return 'lookup'
  // A range scan of an index in its order: every row that it visits is returned or skipped. Without `top` it is a stream,
  // and this holds for each of its chunks.
  return scannedIndex(plan, boundsOf(plan)) === undefined ? null : 'range'
})

/** A change log has any number of entries that others have superseded. */
const readsByChangeLog = oncePerShape((plan) => readsChangeLog(plan, boundsOf(plan)))

const keyLength = oncePerShape((plan) => statementKey(plan).length)

function isPlain({ apply, collectionCount }: ReadPlan): boolean {
  return apply === null && collectionCount === 0
}

function isLookup(condition: Condition, plan: ReadPlan): boolean {
  if (condition.kind === 'and') return condition.of.some((part) => isLookup(part, plan))
  if (condition.kind === 'or') return condition.of.every((part) => isLookup(part, plan))
  if (condition.kind === 'compare' && condition.operator === 'eq')
    return isKeyField(condition.left, plan) && condition.right.kind === 'literal'
  return condition.kind === 'in' && isKeyField(condition.left, plan)
}

/** The table is clustered by this field, or the field is its key. */
function isKeyField(value: Value, { number, resource }: ReadPlan): boolean {
  return (
    value.kind === 'field' &&
    value.recordNumber === number &&
    (value.field === resource.clusteredBy?.[0] || value.field === resource.key[0])
  )
}

/** A skip scan looks up few days, and the page is in their order or few records match. */
function visitsFewDays(plan: ReadPlan, sizes: DatabaseSizes, isPage: (plan: ReadPlan) => boolean): boolean {
  const bounds = boundsOf(plan)
  const { clusteredBy = [], fields } = plan.resource
  const prefix = skipScanPrefix(plan, bounds)
  const [first = ''] = prefix
  if (fields[first]?.type !== 'date') return false
  // With an upper bound alone, the first day is found after all records without a date.
  if (bounds.terms.some(({ field }) => field === first) && !bounds.bounded.has(first)) return false
  if (sizes.skipScanDays(plan) > daysMax) return false
  const isOrderedPage = plan.top !== null && isPage(plan) && isScanned(plan, bounds, { index: clusteredBy, prefix })
  return isOrderedPage || sizes.isFew(foundBy(prefix, plan, bounds))
}

/** Few records are known to match, or every usable index finds few, whichever one SQLite chooses. */
function matchesFew(plan: ReadPlan, { isFew }: DatabaseSizes): boolean {
  if (plan.matchCount !== undefined) return plan.matchCount <= recordsMax
  const bounds = boundsOf(plan)
  const usable = usableIndexes(plan, bounds)
  return usable.length > 0 && usable.every((index) => isFew(foundBy(indexPrefix(index, bounds), plan, bounds)))
}

/** The records that the leading fields of an index find: other conditions are checked on each. */
function foundBy(prefix: readonly string[], plan: ReadPlan, { terms }: Bounds): ReadPlan {
  const of = terms.filter(({ field }) => prefix.includes(field)).map(({ condition }) => condition)
  const filter: Condition | null = of.length === 0 ? null : { kind: 'and', of }
  return { ...plan, filter, joins: [], orderBy: [] }
}

/** Whether the filter fixes all fields of a chain, as the log of a cell does. */
function isOfOneChain(plan: ReadPlan): boolean {
  const { fixed } = boundsOf(plan)
  return plan.resource.chains?.fields.every((field) => fixed.has(field)) === true
}

/** Some eleven years, whose days take 4 ms to look up. */
const daysMax = 4000

/** Finding this many records takes some milliseconds; serializing them, in chunks, ten times as long. */
export const recordsMax = 10_000

/**
 * Pages of the file times characters of the plan cache key. Filtering 400,000 records in 14,000 pages on one field, a key
 * of 100 characters, takes 0.3 s of processor time (measured); a cheap query takes 20 ms at most, because others wait for it.
 */
const costMax = 100_000
