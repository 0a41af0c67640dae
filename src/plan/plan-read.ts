// A query meets a resource: every option is read and checked, and a plan comes out, or a refusal.
import { Fault } from '#faults.ts'
import type { CompanyId, Resource } from '#model/resource.ts'
import type { Schema } from '#model/schema.ts'
import type { Dialect } from '#odata/dialect.ts'
import { parseExpand } from '#odata/expand.ts'
import { parseFilter } from '#odata/filter.ts'
import { parseOrderBy } from '#odata/order-by.ts'
import { flag, type Query } from '#odata/query.ts'
import { parseSelect } from '#odata/select.ts'
import type { NestedOptions } from '#odata/syntax.ts'
import { ownOption, type Binding } from '#plan/binding.ts'
import { bindSet } from '#plan/bind-set.ts'
import type { ReadPlan } from '#plan/read-plan.ts'

/** The options that a read of records alone understands, for `knownParameters`. */
export const readOptions = ['$filter', '$select', '$orderby', '$top', '$skip', '$count'] as const

/** Those of a read that may bring related records along. */
export const setOptions = [...readOptions, '$expand'] as const

/** For whom a query is planned, and how it is understood. */
export interface Reading extends Pick<Binding, 'dialect' | 'zone' | 'naming'> {
  readonly schema: Schema
  readonly companyId: CompanyId
  /** What the caller may see. */
  readonly rights: ReadonlySet<string>
  /** How dates are printed. */
  readonly dates: ReadPlan['dates']
}

export const planRead = (resource: Resource, query: Query, reading: Reading): ReadPlan => {
  const { companyId, dates, schema, rights, ...understood } = reading
  const binding = { ...understood, values: [], expanded: [], option: ownOption }
  const set = bindSet(binding, { schema, resource, rights }, optionsOf(query, reading.dialect))
  return { ...set, companyId, dates, values: binding.values }
}

const optionsOf = (query: Query, dialect: Dialect): NestedOptions => {
  const [select, expand] = [query.get('$select'), query.get('$expand')]
  const [filter, orderBy] = [query.get('$filter'), query.get('$orderby')]
  const [top, skip] = [readCount(query, '$top'), readCount(query, '$skip')]
  return {
    ...(select === undefined ? {} : { select: parseSelect(select, dialect) }),
    ...(expand === undefined ? {} : { expand: parseExpand(expand, dialect) }),
    ...(filter === undefined ? {} : { filter: parseFilter(filter, dialect) }),
    ...(orderBy === undefined ? {} : { orderBy: parseOrderBy(orderBy, dialect) }),
    ...(top === null ? {} : { top }),
    ...(skip === null ? {} : { skip }),
    count: flag(query, '$count', false),
  }
}

/** Digits alone, up to the greatest number that is exact: `1e3`, `-1` and nothing at all are no counts. */
const readCount = (query: Query, name: '$top' | '$skip'): number | null => {
  const text = query.get(name)
  if (text === undefined) return null
  const count = /^\d+$/.test(text) ? Number(text) : NaN
  if (!Number.isSafeInteger(count)) throw new Fault('InvalidTop', { target: name, says: { name } })
  return count
}
