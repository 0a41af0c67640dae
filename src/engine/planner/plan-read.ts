// Query planning: parses and binds all options of a request, and returns a read plan or throws.
import { ApiError } from '../../errors/api-error.ts'
import type { CompanyId, Resource } from '../model/resource.ts'
import type { Schema } from '../model/schema.ts'
import { parseApply } from '../odata/options/apply.ts'
import { withAliases } from '../odata/options/aliases.ts'
import type { Dialect } from '../odata/dialect.ts'
import { parseCompute } from '../odata/options/compute.ts'
import { parseFilter } from '../odata/options/filter.ts'
import { pathOption } from '../odata/options/option.ts'
import { parseOrderBy } from '../odata/options/order-by.ts'
import { parseFlag, type Query } from '../odata/options/query.ts'
import { parseSearch } from '../odata/options/search.ts'
import { parseExpand, parseSelect } from '../odata/options/select-expand.ts'
import type { NestedOptions } from '../odata/expressions/syntax.ts'
import type { ResolvedPath } from './path/resolved-path.ts'
import { firstStepNumber } from './apply/step-builder.ts'
import { bindApply } from './apply/bind-apply.ts'
import { bindPathTarget, type BoundPathTarget } from './path/bind-path.ts'
import { conjunctionOf } from './expressions/conditions.ts'
import { bindComplexSelect } from './select/bind-select.ts'
import { bindSet, rootSetContext } from './select/bind-set.ts'
import { addLiteral, createBinding, type Binding } from './binding.ts'
import { fieldValue } from './expressions/field-value.ts'
import { requireReadScope } from './expressions/names.ts'
import { fieldsNamed, pathOf } from './expressions/resource-fields.ts'
import type { Condition } from './expressions/bound-expression.ts'
import type { ReadPlan, SelectedField, SetPlan } from './read-plan.ts'
import { defaultRecordFormat, type RecordFormat } from './record-format.ts'

/** The query options of a read without related records, for `routeParameters`. */
export const readOptions = ['$filter', '$select', '$orderby', '$top', '$skip', '$count'] as const

/** The query options of a read of an entity set. */
export const setOptions = [...readOptions, '$expand', '$search', '$compute', '$apply'] as const

/** The query options of a read of one entity. */
export const entityOptions = ['$select', '$expand', '$compute'] as const

/** The query options of a read of references (`/$ref`). */
export const referenceOptions = ['$filter', '$orderby', '$top', '$skip', '$count', '$search'] as const

/** Whom a query is planned for, and how it is interpreted. */
export interface PlanContext extends Pick<Binding, 'dialect' | 'zone' | 'naming' | 'clock'> {
  readonly schema: Schema
  readonly companyId: CompanyId
  /** The caller's permissions. */
  readonly grantedScopes: ReadonlySet<string>
  /** The format of dates in the response. */
  readonly dates: ReadPlan['dates']
  /** Default: `defaultRecordFormat`. */
  readonly recordFormat?: RecordFormat
}

/** Restricts a read to the records whose text field has one of these values, below all options of the query. */
export interface RecordRestriction {
  readonly field: string
  readonly values: readonly string[]
}

/** The plan of a read of all records of the resource, with the options of the query. Throws the errors of its options. */
export function planRead(
  resource: Resource,
  query: Query,
  context: PlanContext,
  restriction: RecordRestriction | null = null,
): ReadPlan {
  const start = beginPlan(resource, query, context)
  const filter = restriction === null ? null : restrictionCondition(start, restriction)
  return planRecords(start, query, context, { filter, joins: [], parent: null })
}

function restrictionCondition({ binding, view, number }: PlanStart, { field, values }: RecordRestriction): Condition {
  const [named] = fieldsNamed(view.resource, [field])
  if (named === undefined) throw new Error(`${view.resource.wire} has no field ${field}`)
  const left = fieldValue({ number, isJoined: false }, named)
  return { kind: 'in', left, right: addLiteral(binding, values, 'text') }
}

/** The plan of these records, with the options of the query. */
function planRecords(
  { binding, view, number, dialect }: PlanStart,
  query: Query,
  context: PlanContext,
  records: BoundPathTarget,
): ReadPlan {
  const { filter, joins, parent } = records
  const apply = query.get('$apply')
  const applied =
    apply === undefined ? null : bindApply(binding, view, { ...records, number }, parseApply(apply, dialect))
  const set = bindSet(binding, rootSetContext(view), parseOptions(query, dialect), applied)
  if (applied !== null) return toReadPlan({ ...set, parent }, binding, context)
  const conditions = [filter, set.filter].filter((one) => one !== null)
  const all = { ...set, filter: conjunctionOf(conditions), joins: [...joins, ...set.joins], parent }
  return toReadPlan(all, binding, context)
}

/**
 * Plans a read of all sets that the caller may read (OData 4.01 part 2, 4.15). Throws `ScopeMissing` if there is
 * none.
 */
export function planAllSets(query: Query, context: PlanContext): ReadPlan {
  const { schema, grantedScopes, recordFormat = defaultRecordFormat } = context
  const mixed = { ...context, recordFormat: { ...recordFormat, isMixed: true } as const }
  // Each retrieval of the other sets is logged (ADR 0031), which a read of `$all` would bypass.
  const sets = schema.resources.filter(({ readScope, isReadLogged }) => grantedScopes.has(readScope) && !isReadLogged)
  const search = new Map([...query].filter(([name]) => name === '$search'))
  const [first, ...others] = sets.map((resource) => planRead(resource, search, mixed))
  if (first === undefined)
    throw new ApiError('ScopeMissing', { params: { scope: schema.resources[0]?.readScope ?? '' } })
  return {
    ...first,
    unionPlans: [first, ...others],
    top: parseRowCount(query, '$top'),
    skip: parseRowCount(query, '$skip') ?? 0,
    count: parseFlag(query, '$count', false),
  }
}

/** The query options of a read of `$all`. */
export const allOptions = ['$search', '$top', '$skip', '$count'] as const

/** Plans a read of a resource path; null where a key in it cannot be one of its resource. */
export function planResourcePath(resolved: ResolvedPath, query: Query, context: PlanContext): ReadPlan | null {
  const { schema, grantedScopes } = context
  const start = beginPlan(resolved.resource, query, context)
  const bindingContext = { binding: start.binding, schema, grantedScopes, query }
  const records = bindPathTarget(bindingContext, resolved, start.number)
  if (records === null) return null
  // The `$select` of a complex property names fields inside it, which `selectionOf` binds.
  const options = resolved.complexProperty === null ? query : new Map([...query].filter(([name]) => name !== '$select'))
  const set = planRecords(start, options, context, records)
  const plan = { ...set, ...selectionOf(start, resolved, query), top: resolved.isSingle ? 1 : set.top }
  // A reply that is no entity has neither ETag nor metadata, and keeps its nulls.
  const isRecord = resolved.field === null && resolved.complexProperty === null && resolved.resultKind !== 'references'
  if (isRecord) return plan
  const { recordFormat } = plan
  const metadata = recordFormat.metadata === 'full' ? 'minimal' : recordFormat.metadata
  return { ...plan, recordFormat: { ...recordFormat, metadata, nulls: 'kept', etags: 'omitted' } }
}

/** Plans a read of the parent record of the path; null where there is none. */
export function planParent(plan: ReadPlan): ReadPlan | null {
  if (plan.parent === null) return null
  const { relation, number, filter, parent } = plan.parent
  const nothing = { joins: [], select: [], computed: [], expand: [], orderBy: [], extraColumns: [] }
  return { ...plan, ...nothing, apply: null, resource: relation.of, number, filter, parent }
}

/** Adds the values of these fields to the plan as extra columns. */
export function withExtraColumns(plan: ReadPlan, names: readonly string[]): ReadPlan {
  const own = { number: plan.number, isJoined: false }
  const extraColumns = fieldsNamed(plan.resource, names).map((field) => fieldValue(own, field))
  return { ...plan, extraColumns }
}

/** What a path selects of a record, where that is not decided by `$select` alone. */
function selectionOf({ binding, view, dialect }: PlanStart, resolved: ResolvedPath, query: Query): Partial<SetPlan> {
  const { field, complexProperty, column, resultKind, resource } = resolved
  if (resultKind === 'references')
    return { select: resource.key.map((name) => ({ field: name, as: name })), computed: [], expand: [] }
  if (complexProperty !== null) {
    const select = query.get('$select')
    const items = select === undefined ? undefined : parseSelect(select, dialect)
    const parts = bindComplexSelect(binding, view, complexProperty, items)
    return { ...parts, select: parts.select.map((one) => withoutContainers(one, complexProperty.path.length)) }
  }
  if (field === null) return {}
  requireReadScope(view, field.readScope, { column }, pathOption)
  const path = pathOf(field)
  const one = { field: field.name, as: field.wire, within: path.slice(0, -1) }
  return { select: [withoutContainers(one, path.length)] }
}

/** Drops the names of the containers, which the context URL states. */
function withoutContainers({ within = [], ...one }: SelectedField, depth: number): SelectedField {
  const names = [...within, one.as].map((name, at) => (at < depth ? valueName : name))
  return { ...one, as: names.at(-1) ?? valueName, within: names.slice(0, -1) }
}

/** The name of a single value in a response. */
export const valueName = 'value'

type PlanStart = ReturnType<typeof beginPlan>

function beginPlan(resource: Resource, query: Query, context: PlanContext) {
  const { schema, grantedScopes, zone, naming, clock } = context
  return {
    binding: createBinding({ dialect: context.dialect, namespace: schema.namespace, zone, naming, clock }),
    view: { schema, resource, grantedScopes },
    /** The number of the records: with `$apply`, they are those of its first step. */
    number: query.has('$apply') ? firstStepNumber(0) : 0,
    dialect: withAliases(context.dialect, query),
  }
}

function toReadPlan(
  set: SetPlan & Pick<ReadPlan, 'parent'>,
  { values, sources, outerFields, joinedRelations }: Binding,
  { companyId, dates, schema, recordFormat = defaultRecordFormat }: PlanContext,
): ReadPlan {
  return {
    ...set,
    companyId,
    dates,
    recordFormat,
    schema,
    unionPlans: [],
    extraColumns: [],
    outerFields,
    relationCount: joinedRelations.length,
    collectionCount: joinedRelations.filter(({ isMany }) => isMany).length,
    values,
    sources,
  }
}

function parseOptions(query: Query, dialect: Dialect): NestedOptions {
  const [select, expand] = [query.get('$select'), query.get('$expand')]
  const [filter, orderBy] = [query.get('$filter'), query.get('$orderby')]
  const [search, compute] = [query.get('$search'), query.get('$compute')]
  const [top, skip] = [parseRowCount(query, '$top'), parseRowCount(query, '$skip')]
  return {
    ...(select === undefined ? {} : { select: parseSelect(select, dialect) }),
    ...(expand === undefined ? {} : { expand: parseExpand(expand, dialect) }),
    ...(filter === undefined ? {} : { filter: parseFilter(filter, dialect) }),
    ...(orderBy === undefined ? {} : { orderBy: parseOrderBy(orderBy, dialect) }),
    ...(search === undefined ? {} : { search: parseSearch(search) }),
    ...(compute === undefined ? {} : { compute: parseCompute(compute, dialect) }),
    ...(top === null ? {} : { top }),
    ...(skip === null ? {} : { skip }),
    count: parseFlag(query, '$count', false),
  }
}

/** Digits only, up to the greatest safe integer: `1e3`, `-1` and empty text are invalid. */
export function parseRowCount(query: Query, name: '$top' | '$skip'): number | null {
  const text = query.get(name)
  if (text === undefined) return null
  const count = /^\d+$/.test(text) ? Number(text) : NaN
  if (!Number.isSafeInteger(count)) throw new ApiError('InvalidTop', { target: name, params: { name } })
  return count
}
