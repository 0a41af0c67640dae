// Query planning: parses and binds all options of a request, and returns a read plan or throws.
import { Fault } from '../../errors/catalog.ts'
import type { CompanyId, Resource } from '../model/resource.ts'
import type { Schema } from '../model/schema.ts'
import { parseApply } from '../odata/options/apply.ts'
import { withAliases } from '../odata/options/aliases.ts'
import type { Dialect } from '../odata/lexer/dialect.ts'
import { parseExpand } from '../odata/options/expand.ts'
import { parseCompute } from '../odata/options/compute.ts'
import { parseFilter } from '../odata/options/filter.ts'
import { pathOption } from '../odata/options/option.ts'
import { parseOrderBy } from '../odata/options/order-by.ts'
import { flag, type Query } from '../odata/options/query.ts'
import { parseSearch } from '../odata/options/search.ts'
import { parseSelect } from '../odata/options/select.ts'
import type { NestedOptions } from '../odata/expressions/syntax.ts'
import type { Address } from './address/address.ts'
import type { RecordsStep } from './apply/apply-plan.ts'
import { firstStepOf } from './apply/apply-work.ts'
import { bindApply, type Applied } from './apply/bind-apply.ts'
import { bindLocated } from './address/bind-address.ts'
import { allOf } from './expressions/bind-lambda.ts'
import { selectedParts } from './select/bind-select.ts'
import { bindSet, outermost } from './select/bind-set.ts'
import { ownOption, type Binding } from './binding.ts'
import { fieldValue } from './expressions/field-expression.ts'
import { fieldsOf, pathOf, requireRight, type View } from './expressions/names.ts'
import type { ReadPlan, Selected, SetPlan } from './read-plan.ts'
import { plainForm, type RecordForm } from './select/record-form.ts'

/** The query options of a read without related records, for `knownParameters`. */
export const readOptions = ['$filter', '$select', '$orderby', '$top', '$skip', '$count'] as const

/** The query options of a read of an entity set. */
export const setOptions = [...readOptions, '$expand', '$search', '$compute', '$apply'] as const

/** The query options of a read of one entity. */
export const entityOptions = ['$select', '$expand', '$compute'] as const

/** The query options of a read of references (`/$ref`). */
export const referenceOptions = [
  '$filter',
  '$orderby',
  '$top',
  '$skip',
  '$count',
  '$search',
] as const

/** Whom a query is planned for, and how it is interpreted. */
export interface Reading extends Pick<Binding, 'dialect' | 'zone' | 'naming' | 'clock'> {
  readonly schema: Schema
  readonly companyId: CompanyId
  /** The caller's permissions. */
  readonly rights: ReadonlySet<string>
  /** The format of dates in the response. */
  readonly dates: ReadPlan['dates']
  /** Default: `plainForm`. */
  readonly form?: RecordForm
}

export function planRead(resource: Resource, query: Query, reading: Reading): ReadPlan {
  const { binding, view } = begun(resource, reading)
  const dialect = withAliases(reading.dialect, query)
  const records = { filter: null, joins: [], start: null }
  const applied = appliedTo(binding, view, query, { dialect, records })
  const options = optionsOf(query, dialect)
  return planOf(bindSet(binding, outermost(view), options, applied), binding, reading)
}

/**
 * Plans a read of all sets that the caller may read (OData 4.01 part 2, 4.15). Throws `ScopeMissing` if there is
 * none.
 */
export function planAll(query: Query, reading: Reading): ReadPlan {
  const { schema, rights, form = plainForm } = reading
  const mixed = { ...reading, form: { ...form, isMixed: true } as const }
  // Each retrieval of the other sets is logged (ADR 0040), which a read of `$all` would bypass.
  const sets = schema.resources.filter(({ right, isUnmarked }) => rights.has(right) && !isUnmarked)
  const search = new Map([...query].filter(([name]) => name === '$search'))
  const [first, ...others] = sets.map((resource) => planRead(resource, search, mixed))
  if (first === undefined)
    throw new Fault('ScopeMissing', { says: { scope: schema.resources[0]?.right ?? '' } })
  return {
    ...first,
    parts: [first, ...others],
    top: readCount(query, '$top'),
    skip: readCount(query, '$skip') ?? 0,
    count: flag(query, '$count', false),
  }
}

/** The query options of a read of `$all`. */
export const allOptions = ['$search', '$top', '$skip', '$count'] as const

/** Plans a read of a resource path; null where a key in it cannot be one of its resource. */
export function planAddress(address: Address, query: Query, reading: Reading): ReadPlan | null {
  const { binding, view } = begun(address.resource, reading)
  const dialect = withAliases(reading.dialect, query)
  const { schema, rights } = reading
  const ground = { binding, schema, rights, query }
  if (query.has('$apply')) {
    const records = bindLocated(ground, address, firstStepOf(0))
    if (records === null) return null
    const applied = appliedTo(binding, view, query, { dialect, records })
    if (applied === null) return null
    const asked = bindSet(binding, outermost(view), optionsOf(query, dialect), applied)
    const { start } = records
    return { ...planOf(asked, binding, reading), start }
  }
  const bound = bindLocated(ground, address)
  if (bound === null) return null
  const { select, ...others } = optionsOf(query, dialect)
  const isOfRecord = address.composite !== null || select === undefined
  const set = bindSet(binding, outermost(view), isOfRecord ? others : { ...others, select })
  const filter = allOf([bound.filter, set.filter].filter((one) => one !== null))
  const joins = [...bound.joins, ...set.joins]
  const top = address.isOne ? 1 : set.top
  const part = partOf(binding, view, address, select)
  const asked = { ...set, ...part, filter, joins, top }
  const plan = { ...planOf(asked, binding, reading), start: bound.start }
  // Anything but an entity has no metadata, and its nulls are not omitted.
  const isRecord =
    address.field === null && address.composite === null && address.wants !== 'references'
  const { form } = plan
  const metadata = form.metadata === 'full' ? 'minimal' : form.metadata
  return isRecord ? plan : { ...plan, form: { ...form, metadata, nulls: 'kept' } }
}

/** Plans a read of the parent record of the path; null where there is none. */
export function planStart(plan: ReadPlan): ReadPlan | null {
  if (plan.start === null) return null
  const { relation, number, filter, start } = plan.start
  const nothing = { joins: [], select: [], computed: [], expand: [], orderBy: [], beside: [] }
  return { ...plan, ...nothing, apply: null, resource: relation.of, number, filter, start }
}

/** Adds the values of these fields to the plan as extra columns. */
export function withBeside(plan: ReadPlan, names: readonly string[]): ReadPlan {
  const own = { number: plan.number, isJoined: false }
  const fields = fieldsOf(plan.resource).all
  const beside = names.flatMap((name) =>
    fields.filter((field) => field.name === name).map((field) => fieldValue(own, field)),
  )
  return { ...plan, beside }
}

/** What a path selects of a record, where that is not decided by `$select` alone. */
function partOf(
  binding: Binding,
  view: View,
  address: Address,
  select: NestedOptions['select'],
): Partial<SetPlan> {
  const { field, composite, column, wants, resource } = address
  if (wants === 'references')
    return {
      select: resource.key.map((name) => ({ field: name, as: name })),
      computed: [],
      expand: [],
    }
  if (composite !== null) {
    const parts = selectedParts(binding, view, composite, select)
    return { ...parts, select: parts.select.map((one) => alone(one, composite.path.length)) }
  }
  if (field === null) return {}
  requireRight(view, field.right, { column }, pathOption)
  const path = pathOf(field)
  const one = { field: field.name, as: field.wire, within: path.slice(0, -1) }
  return { select: [alone(one, path.length)] }
}

/** Drops the names of the containers, which the context URL states. */
function alone({ within = [], ...one }: Selected, depth: number): Selected {
  const names = [...within, one.as].map((name, at) => (at < depth ? valueName : name))
  return { ...one, as: names.at(-1) ?? valueName, within: names.slice(0, -1) }
}

/** The name of a single value in a response. */
export const valueName = 'value'

function begun(resource: Resource, { schema, rights, ...understood }: Reading) {
  const { dialect, zone, naming, clock } = understood
  const binding: Binding = {
    dialect,
    namespace: schema.namespace,
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

function planOf(
  set: SetPlan,
  { values, lent, followed }: Binding,
  { companyId, dates, schema, form = plainForm }: Reading,
): ReadPlan {
  return {
    ...set,
    companyId,
    dates,
    form,
    schema,
    start: null,
    parts: [],
    beside: [],
    lent,
    relations: followed.length,
    collections: followed.filter(({ isMany }) => isMany).length,
    values,
  }
}

function optionsOf(query: Query, dialect: Dialect): NestedOptions {
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

/** Binds `$apply`; null without one. */
function appliedTo(
  binding: Binding,
  view: View,
  query: Query,
  {
    dialect,
    records,
  }: { dialect: Dialect; records: Omit<RecordsStep, 'kind' | 'number' | 'resource'> },
): Applied | null {
  const text = query.get('$apply')
  if (text === undefined) return null
  const sequence = parseApply(text, dialect)
  return bindApply(binding, view, { ...records, number: firstStepOf(0) }, sequence)
}

/** Digits only, up to the greatest safe integer: `1e3`, `-1` and empty text are invalid. */
function readCount(query: Query, name: '$top' | '$skip'): number | null {
  const text = query.get(name)
  if (text === undefined) return null
  const count = /^\d+$/.test(text) ? Number(text) : NaN
  if (!Number.isSafeInteger(count)) throw new Fault('InvalidTop', { target: name, says: { name } })
  return count
}
