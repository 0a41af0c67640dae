// Index selection: which indexes the filter of a read can use, and whether they have its order.
import { indexesOf } from '../model/resource.ts'
import { oncePerShape } from '../planner/plan-shape.ts'
import type { ReadPlan, SetPlan } from '../planner/read-plan.ts'
import type { ComparisonOperator, Condition, FieldValue, Value } from '../planner/expressions/bound-expression.ts'

/** The comparisons of the plan's own fields that a filter joins by `and`. */
export interface Bounds {
  /** Fields compared by `eq` with a literal. */
  readonly fixed: ReadonlySet<string>
  /** Fields compared by `gt ge lt le`, so that an index can be searched for the bound. */
  readonly bounded: ReadonlySet<string>
  /** The comparisons, each with its field. */
  readonly terms: readonly { readonly field: string; readonly condition: CompareCondition }[]
  /** The filter has no other conditions. */
  readonly hasOnlyBounds: boolean
}

/** Whether the filter fixes the key, or all fields that the table is clustered by: few records. */
export const isKeyLookup = oncePerShape((plan) => {
  const { apply, collectionCount, resource } = plan
  if (apply !== null || collectionCount > 0) return false
  const { key, clusteredBy = key } = resource
  const { fixed } = boundsOf(plan)
  return [key, clusteredBy].some((fields) => fields.length > 0 && fields.every((name) => fixed.has(name)))
})

export function boundsOf({ filter, number, parent }: SetPlan & Partial<Pick<ReadPlan, 'parent'>>): Bounds {
  // Records of a parent have fixed values in the fields of the relation.
  const fixed = new Set(parent ? Object.values(parent.relation.on) : [])
  const bounded = new Set<string>()
  const terms: { field: string; condition: CompareCondition }[] = []
  let hasOnlyBounds = true
  const compared: { left: FieldValue; condition: CompareCondition }[] = []
  const collect = (condition: Condition): void => {
    if (condition.kind === 'and') return condition.of.forEach(collect)
    const left = condition.kind === 'compare' ? comparedField(condition, number) : null
    if (condition.kind === 'compare' && left !== null) compared.push({ left, condition })
    else hasOnlyBounds = false
  }
  if (filter !== null) collect(filter)
  // SQLite searches an index by one comparison of a field: an equality before a bound, the first bound of each direction.
  // Any other comparison of that field is checked record by record, however many those are.
  const used = new Set([...fixed].map((field) => `${field} eq`))
  const add = (left: FieldValue, condition: CompareCondition): void => {
    const { field } = left
    const searchKey = `${field} ${directionOf(condition.operator)}`
    if (used.has(`${field} eq`) || used.has(searchKey)) {
      hasOnlyBounds = false
      return
    }
    used.add(searchKey)
    if (condition.operator === 'eq') fixed.add(field)
    else if (isSearchable(left, condition.operator)) bounded.add(field)
    terms.push({ field, condition })
  }
  const isEqual = (one: { condition: CompareCondition }) => one.condition.operator === 'eq'
  for (const { left, condition } of compared.filter(isEqual)) add(left, condition)
  for (const { left, condition } of compared.filter((one) => !isEqual(one))) add(left, condition)
  return { fixed, bounded, terms, hasOnlyBounds }
}

function directionOf(operator: ComparisonOperator): 'eq' | 'lower' | 'upper' {
  if (operator === 'eq') return 'eq'
  return operator === 'gt' || operator === 'ge' ? 'lower' : 'upper'
}

export type CompareCondition = Extract<Condition, { readonly kind: 'compare' }>

/** The plan's own field, where it is compared with a literal. */
function comparedField({ left, right, operator }: CompareCondition, number: number): FieldValue | null {
  return operator !== 'ne' && left.kind === 'field' && left.recordNumber === number && right.kind === 'literal'
    ? left
    : null
}

/** '' for null sorts first, so an upper bound alone would read all of those rows too. */
function isSearchable({ blankWhenNull, isJoined }: FieldValue, operator: ComparisonOperator): boolean {
  return !blankWhenNull || isJoined === true || operator === 'gt' || operator === 'ge'
}

/** The leading fields of the index that the filter can search by: the fixed ones, and the next one if it is bounded. */
export function indexPrefix(index: readonly string[], { fixed, bounded }: Bounds): string[] {
  const end = index.findIndex((field) => !fixed.has(field))
  if (end === -1) return [...index]
  const next = index[end]
  return index.slice(0, next !== undefined && bounded.has(next) ? end + 1 : end)
}

/** Whether the index has the records in the order of the plan, forwards or backwards. */
export function isInOrder(plan: SetPlan, index: readonly string[], { fixed }: Bounds): boolean {
  const wanted = plan.orderBy.filter(({ value }) => !(isOwnField(plan, value) && fixed.has(value.field)))
  const { unique = [] } = plan.resource
  const last = index.findIndex((field) => unique.includes(field))
  // An index ends with the key: order terms after it, or after a unique field, decide nothing.
  const fields = index.slice(0, last === -1 ? index.length : last + 1).filter((field) => !fixed.has(field))
  return wanted
    .slice(0, fields.length)
    .every(
      ({ value, descending }, at) =>
        isOwnField(plan, value) && value.field === fields[at] && descending === wanted[0]?.descending,
    )
}

/** Whether the value is a field of the plan's own records. */
export function isOwnField({ number }: Pick<SetPlan, 'number'>, value: Value): value is FieldValue {
  return value.kind === 'field' && value.recordNumber === number
}

/** The indexes that the filter can search, or the fields of the chains that it follows instead. */
export function usableIndexes(plan: SetPlan, bounds: Bounds): readonly (readonly string[])[] {
  const { chains, key } = plan.resource
  return chains === undefined || chainPrefix(plan, bounds).length === 0
    ? searchedIndexes(plan, bounds)
    : [[...chains.fields, ...key]]
}

function searchedIndexes({ resource }: SetPlan, bounds: Bounds): readonly (readonly string[])[] {
  return indexesOf(resource).filter((index) => indexPrefix(index, bounds).length > 0)
}

/** Whether SQLite reads the records from their change log: the filter bounds its field, or the order begins with it. */
export function readsChangeLog(plan: SetPlan, bounds: Bounds): boolean {
  const { changeLog, key, clusteredBy = [] } = plan.resource
  if (changeLog === undefined || plan.apply !== null) return false
  const { fixed, bounded } = bounds
  const isFixed = (name: string | undefined) => name !== undefined && fixed.has(name)
  if (isFixed(changeLog.field) || bounded.has(changeLog.field)) return !isFixed(key[0]) && !isFixed(clusteredBy[0])
  return plan.filter === null && isChangeLogOrder(plan)
}

/** Whether the wanted order is that of the change log. */
export function isChangeLogOrder(plan: SetPlan): boolean {
  const [first] = plan.orderBy
  return first !== undefined && isOwnField(plan, first.value) && first.value.field === plan.resource.changeLog?.field
}

/** The leading fields of chains by which the filter finds records; empty where it finds them by an index. */
export function chainPrefix(plan: SetPlan, bounds: Bounds): readonly string[] {
  const { chains: { fields } = { fields: [] }, key } = plan.resource
  const isFixed = (name: string | undefined) => name !== undefined && bounds.fixed.has(name)
  const isSelective = isFixed(fields[0]) && !isFixed(key[0])
  return isSelective || searchedIndexes(plan, bounds).length === 0 ? indexPrefix(fields, bounds) : []
}

/**
 * The fields by which a skip scan finds records: it looks up the values of the first one that the table is clustered by, each with
 * the fixed values of the next ones. Empty without a skip scan: the first is fixed, the second is not, or another index is more
 * selective.
 */
export function skipScanPrefix(plan: SetPlan, bounds: Bounds): readonly string[] {
  const [first, ...others] = plan.resource.clusteredBy ?? []
  const prefix = indexPrefix(others, bounds)
  if (first === undefined || bounds.fixed.has(first) || !bounds.fixed.has(prefix[0] ?? '')) return []
  return usableIndexes(plan, bounds).some(([leading]) => leading !== first) ? [] : [first, ...prefix]
}

/** An index that is in the order of the plan, and whose leading fields are all that the filter compares. */
export function scannedIndex(plan: SetPlan, bounds: Bounds): readonly string[] | undefined {
  return indexesOf(plan.resource).find((index) =>
    isScanned(plan, bounds, { index, prefix: indexPrefix(index, bounds) }),
  )
}

/** Whether the filter compares fields of the prefix alone, and the index is in the order of the plan. */
export function isScanned(
  plan: SetPlan,
  bounds: Bounds,
  { index, prefix }: { readonly index: readonly string[]; readonly prefix: readonly string[] },
): boolean {
  const compared = [...bounds.fixed, ...bounds.terms.map(({ field }) => field)]
  return bounds.hasOnlyBounds && compared.every((field) => prefix.includes(field)) && isInOrder(plan, index, bounds)
}
