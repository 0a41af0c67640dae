// A query meets a resource: every option is read and checked, and a plan comes out, or a refusal.
import { Fault } from '#faults.ts'
import type { CompanyId, Resource } from '#model/resource.ts'
import type { Schema } from '#model/schema.ts'
import { parseApply } from '#odata/apply.ts'
import { withAliases } from '#odata/aliases.ts'
import type { Dialect } from '#odata/dialect.ts'
import { parseExpand } from '#odata/expand.ts'
import { parseCompute } from '#odata/compute.ts'
import { parseFilter } from '#odata/filter.ts'
import { parseOrderBy } from '#odata/order-by.ts'
import { flag, type Query } from '#odata/query.ts'
import type { KeyValue } from '#odata/resource-path.ts'
import { parseSearch } from '#odata/search.ts'
import { parseSelect } from '#odata/select.ts'
import type { NestedOptions } from '#odata/syntax.ts'
import { ownOption, type Binding } from '#plan/binding.ts'
import { bindKey } from '#plan/bind-key.ts'
import { bindSet, outermost } from '#plan/bind-set.ts'
import type { ReadPlan, SetPlan } from '#plan/read-plan.ts'

/** The options that a read of records alone understands, for `knownParameters`. */
export const readOptions = ['$filter', '$select', '$orderby', '$top', '$skip', '$count'] as const

/** Those of a read that may bring related records along; `$apply` is read, and cannot be answered. */
export const setOptions = [...readOptions, '$expand', '$search', '$compute', '$apply'] as const

/** Those of a read of one record. */
export const entityOptions = ['$select', '$expand', '$compute'] as const

/** For whom a query is planned, and how it is understood. */
export interface Reading extends Pick<Binding, 'dialect' | 'zone' | 'naming' | 'clock'> {
  readonly schema: Schema
  readonly companyId: CompanyId
  /** What the caller may see. */
  readonly rights: ReadonlySet<string>
  /** How dates are printed. */
  readonly dates: ReadPlan['dates']
}

export const planRead = (resource: Resource, query: Query, reading: Reading): ReadPlan => {
  const { binding, view } = begun(resource, reading)
  const dialect = withAliases(reading.dialect, query)
  refuseUnanswered(query, dialect)
  return planOf(bindSet(binding, outermost(view), optionsOf(query, dialect)), binding, reading)
}

/** Of one record; null where the key that stands in the address can be none of the resource. */
export const planEntity = (
  resource: Resource,
  key: readonly KeyValue[],
  query: Query,
  reading: Reading,
): ReadPlan | null => {
  const { binding, view } = begun(resource, reading)
  const dialect = withAliases(reading.dialect, query)
  refuseUnanswered(query, dialect)
  const filter = bindKey(binding, view, key)
  if (filter === null) return null
  const set = bindSet(binding, outermost(view), optionsOf(query, dialect))
  return planOf({ ...set, filter, top: 1 }, binding, reading)
}

const begun = (resource: Resource, { schema, rights, ...understood }: Reading) => {
  const { dialect, zone, naming, clock } = understood
  const binding: Binding = {
    dialect,
    zone,
    naming,
    clock,
    values: [],
    followed: [],
    lent: new Set(),
    spent: { nodes: 0 },
    option: ownOption,
  }
  return { binding, view: { schema, resource, rights } }
}

const planOf = (
  set: SetPlan,
  { values, lent }: Binding,
  { companyId, dates }: Reading,
): ReadPlan => ({
  ...set,
  companyId,
  dates,
  lent,
  values,
})

const optionsOf = (query: Query, dialect: Dialect): NestedOptions => {
  const [select, expand] = [query.get('$select'), query.get('$expand')]
  const [filter, orderBy] = [query.get('$filter'), query.get('$orderby')]
  const [search, compute] = [query.get('$search'), query.get('$compute')]
  const [top, skip] = [readCount(query, '$top'), readCount(query, '$skip')]
  return {
    ...(select === undefined ? {} : { select: parseSelect(select, dialect) }),
    ...(expand === undefined ? {} : { expand: parseExpand(expand, dialect) }),
    ...(filter === undefined ? {} : { filter: parseFilter(filter, dialect) }),
    ...(orderBy === undefined ? {} : { orderBy: parseOrderBy(orderBy, dialect) }),
    ...(search === undefined ? {} : { search: parseSearch(search) }),
    ...(compute === undefined ? {} : { compute: parseCompute(compute, dialect) }),
    ...(top === null ? {} : { top }),
    ...(skip === null ? {} : { skip }),
    count: flag(query, '$count', false),
  }
}

/** What can be read, and cannot be answered. */
const refuseUnanswered = (query: Query, dialect: Dialect): void => {
  const text = query.get('$apply')
  if (text === undefined) return
  parseApply(text, dialect)
  throw new Fault('NotSupported', { target: '$apply', says: { feature: '$apply' } })
}

/** Digits alone, up to the greatest number that is exact: `1e3`, `-1` and nothing at all are no counts. */
const readCount = (query: Query, name: '$top' | '$skip'): number | null => {
  const text = query.get(name)
  if (text === undefined) return null
  const count = /^\d+$/.test(text) ? Number(text) : NaN
  if (!Number.isSafeInteger(count)) throw new Fault('InvalidTop', { target: name, says: { name } })
  return count
}
