// A query meets a resource: every option is read and checked, and a plan comes out, or a refusal.
import { Fault } from '#faults.ts'
import type { CompanyId, Resource } from '#model/resource.ts'
import { parseApply } from '#odata/apply.ts'
import type { Dialect } from '#odata/dialect.ts'
import { parseExpand } from '#odata/expand.ts'
import { parseCompute } from '#odata/compute.ts'
import { parseFilter } from '#odata/filter.ts'
import { flag, type Query } from '#odata/query.ts'
import { parseSearch } from '#odata/search.ts'
import { bindFilter } from '#plan/bind-filter.ts'
import { bindOrder } from '#plan/bind-order.ts'
import { bindSelect } from '#plan/bind-select.ts'
import type { ReadPlan } from '#plan/read-plan.ts'

/** The options that a read understands, for `knownParameters`. */
export const readOptions = [
  '$filter',
  '$select',
  '$orderby',
  '$top',
  '$skip',
  '$count',
  '$expand',
  '$search',
  '$compute',
  '$apply',
] as const

/** For whom a query is planned, and how it is understood. */
export interface Reading {
  readonly companyId: CompanyId
  /** IANA name of the company's zone. */
  readonly zone: string
  readonly dialect: Dialect
  /** How dates are printed. */
  readonly dates: ReadPlan['dates']
}

export const planRead = (resource: Resource, query: Query, reading: Reading): ReadPlan => {
  const { companyId, dialect, dates, zone } = reading
  refuseUnanswered(query, dialect)
  const filter = query.get('$filter')
  const bound =
    filter === undefined
      ? { condition: null, values: [] }
      : bindFilter(parseFilter(filter, dialect), { resource, dialect, zone })
  return {
    resource,
    companyId,
    select: bindSelect(resource, query.get('$select'), dialect),
    filter: bound.condition,
    orderBy: bindOrder(resource, query.get('$orderby'), dialect),
    skip: readCount(query, '$skip') ?? 0,
    top: readCount(query, '$top'),
    count: flag(query, '$count', false),
    dates,
    values: bound.values,
  }
}

/** What can be read, and cannot be answered. */
const refuseUnanswered = (query: Query, dialect: Dialect): void => {
  for (const [name, parse] of unanswered) {
    const text = query.get(name)
    if (text === undefined) continue
    parse(text, dialect)
    throw new Fault('NotSupported', { target: name, says: { feature: name } })
  }
}

const unanswered: readonly (readonly [string, (text: string, dialect: Dialect) => unknown])[] = [
  ['$expand', parseExpand],
  ['$search', parseSearch],
  ['$compute', parseCompute],
  ['$apply', parseApply],
]

/** Digits alone, up to the greatest number that is exact: `1e3`, `-1` and nothing at all are no counts. */
const readCount = (query: Query, name: '$top' | '$skip'): number | null => {
  const text = query.get(name)
  if (text === undefined) return null
  const count = /^\d+$/.test(text) ? Number(text) : NaN
  if (!Number.isSafeInteger(count)) throw new Fault('InvalidTop', { target: name, says: { name } })
  return count
}
