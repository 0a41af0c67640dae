// Binding of a set of records to its query options, and of the expanded sets inside it.
import { relationsOf, type Relation } from '../../model/schema.ts'
import { expandDepthLimit, levelsMax } from '../../odata/options/select-expand.ts'
import { expandOption, invalidOptionError, tooComplexError, unsupportedError } from '../../odata/options/option.ts'
import type { ExpandItem, NameNode, NestedOptions } from '../../odata/expressions/syntax.ts'
import { message } from '../../../errors/messages.ts'
import { scopeOfStage, orderOfStage } from '../apply/apply-stage.ts'
import { firstStepNumber } from '../apply/step-builder.ts'
import { outputNames } from '../apply/apply-output.ts'
import { bindApply, type BoundApply } from '../apply/bind-apply.ts'
import { bindCompute } from './bind-compute.ts'
import { bindFilter, createScope } from '../expressions/bind-filter.ts'
import { bindOrder } from './bind-order.ts'
import { conjunctionOf } from '../expressions/conditions.ts'
import { bindSearch } from '../expressions/bind-search.ts'
import { bindSelect } from './bind-select.ts'
import { addJoinedRelation, nestedOption, type Binding } from '../binding.ts'
import {
  noComputedValues,
  noVariables,
  withRecordAliases,
  type NameScope,
  type RecordRef,
} from '../expressions/scope.ts'
import { findRelation, requireReadScope, unknownPropertyError, type ResourceView } from '../expressions/names.ts'
import type { ExpandPlan, SetPlan } from '../read-plan.ts'
import type { Condition } from '../expressions/bound-expression.ts'

/** The context of a set: its resource and record number, and its nesting in other sets. */
export interface SetContext {
  readonly view: ResourceView
  readonly number: number
  /** The records of the set that the URL addresses (`$it`); null for that set itself. */
  readonly outermost: RecordRef | null
  /** The aliases in scope that stand for records. */
  readonly variables: NameScope['variables']
  readonly depth: number
}

export function rootSetContext(view: ResourceView): SetContext {
  return { view, number: 0, outermost: null, variables: noVariables, depth: 0 }
}

/** In the order of evaluation (OData 4.01 part 1, 11.2.1); `applied` is the result of `$apply`. */
export function bindSet(
  binding: Binding,
  context: SetContext,
  options: NestedOptions,
  applied: BoundApply | null = null,
): SetPlan {
  const { number } = context
  const stage = applied?.stage ?? null
  const stageScope = stage === null ? null : scopeOfStage(binding, stage, number)
  const view = stageScope?.record.view ?? context.view
  const record: RecordRef = stageScope?.record ?? { view, number, joins: [], isJoined: false }
  const around = { record, outermost: context.outermost ?? record }
  const variables = withRecordAliases(context.variables, around, options.aliases)
  const own = { ...createScope(binding, record, around.outermost), variables }
  const appliedValues = stageScope?.computed ?? noComputedValues
  const { search, filter, expand, orderBy, select, compute } = options
  const scopeFor = (kind: Parameters<Binding['option']>[0], computed = appliedValues): NameScope => ({
    ...own,
    option: binding.option(kind),
    computed,
  })
  const computed = compute === undefined ? appliedValues : bindCompute(scopeFor('compute'), compute)
  const conditions: Condition[] = []
  if (search !== undefined && view.resource.key.length === 0)
    throw unsupportedError(binding.option('search'), 1, 'searchAfterAggregation')
  if (search !== undefined) conditions.push(bindSearch(scopeFor('search', computed), search))
  if (filter !== undefined) conditions.push(bindFilter(scopeFor('filter', computed), filter))
  const inside = { ...context, view, variables, outermost: around.outermost }
  const selected = bindSelect(scopeFor('select', computed), select)
  if (applied !== null && selected.select.length + selected.computed.length > appliedColumnsMax)
    throw tooComplexError(binding.option('apply'), 1, { limit: 'namesInList', max: appliedColumnsMax })
  return {
    number,
    resource: view.resource,
    etagField: applied === null ? etagFieldFor(view) : null,
    joins: record.joins,
    apply: applied?.plan ?? null,
    ...(stage === null ? selected : { ...selected, selected: outputNames(stage, selected) }),
    filter: conjunctionOf(conditions),
    orderBy: bindOrder(
      scopeFor('orderby', computed),
      orderBy,
      stage === null ? undefined : orderOfStage(stage, number),
    ),
    expand: expand === undefined ? [] : bindExpand(binding, inside, expand),
    skip: options.skip ?? 0,
    top: options.top ?? null,
    count: options.count ?? false,
  }
}

/** As of the names of `$compute`, and up to ten internal columns. */
const appliedColumnsMax = 90

/** Records of `$apply` are not always records of the set; only writers need ETags (ADR 0023). */
function etagFieldFor({ resource, grantedScopes }: ResourceView): string | null {
  const { writeScope, etagField = null } = resource
  return writeScope !== undefined && grantedScopes.has(writeScope) ? etagField : null
}

/** Relations in the order of the text (interface 4.3.1). */
function bindExpand(binding: Binding, context: SetContext, items: readonly ExpandItem[]): readonly ExpandPlan[] {
  const { view } = context
  const named = namedRelations(view, items)
  return items.flatMap((item) => {
    const name = singleName(item)
    if (name.name === '*')
      return relationsOf(view.schema, view.resource)
        .filter((relation) => !named.has(relation) && view.grantedScopes.has(relation.to.readScope))
        .map((relation) => bindRelation(binding, context, { item, name, relation }))
    const relation = findRelation(view, name)
    if (relation === undefined) throw unknownPropertyError(view, name, expandOption)
    return bindRelation(binding, context, { item, name, relation })
  })
}

/** The named relations; none may be named twice. */
function namedRelations(view: ResourceView, items: readonly ExpandItem[]): ReadonlySet<Relation> {
  const named = new Set<Relation>()
  for (const name of items.map(singleName)) {
    const relation = findRelation(view, name)
    if (relation === undefined) continue
    if (named.has(relation)) throw invalidOptionError(expandOption, name.column, 'namedTwice')
    named.add(relation)
  }
  return named
}

function singleName({ path }: ExpandItem): NameNode {
  const [name, beyond] = path
  if (name === undefined) throw new Error('an item of $expand without a name')
  if (beyond !== undefined) throw unsupportedError(expandOption, beyond.column, 'anExpandOfPath')
  return name
}

interface Expansion {
  readonly item: ExpandItem
  readonly name: NameNode
  readonly relation: Relation
}

/** Nested options are bound to the related resource (interface 4.3.2). */
function bindRelation(binding: Binding, context: SetContext, expansion: Expansion): ExpandPlan {
  const { item, name, relation } = expansion
  const { options, resultKind } = item
  const view = { ...context.view, resource: relation.to }
  requireReadScope(view, relation.to.readScope, name, expandOption)
  const isOfMany = resultKind === 'count' || collectionOptions.some((option) => options[option] !== undefined)
  if (isOfMany && !relation.isMany)
    throw invalidOptionError(expandOption, name.column, message('isSingleRecord', { name: relation.wire }))
  const depth = context.depth + 1
  const number = addJoinedRelation(binding, relation, expandOption, name)
  const inside = { ...context, view, number, depth }
  const nested = { ...binding, option: nestedOption }
  const applied = bindNestedApply(nested, inside, { options, name })
  const set = bindSet(nested, inside, nextLevel(inside, expansion), applied)
  return { ...set, from: context.number, relation, as: outputName(binding, relation, name), resultKind }
}

/** Binds the `$apply` of the related records. */
function bindNestedApply(
  binding: Binding,
  { view, number }: SetContext,
  { options: { apply, levels }, name }: Pick<Expansion, 'name'> & Pick<ExpandItem, 'options'>,
): BoundApply | null {
  if (apply === undefined) return null
  if (levels !== undefined) throw unsupportedError(expandOption, name.column, 'applyInLevels')
  const records = { number: firstStepNumber(number), filter: null, joins: [], parent: null }
  return bindApply(binding, view, records, apply)
}

const collectionOptions = ['filter', 'search', 'orderBy', 'top', 'skip', 'count', 'apply'] as const

/** `$levels=3` nests the same item in itself, twice more (OData 4.01 part 2, 5.1.3.2). */
function nextLevel({ view, depth }: SetContext, { item, name }: Expansion): NestedOptions {
  const { levels = 1, ...options } = item.options
  if (levels === 1) return options
  const canRepeat = name.name === '*' || findRelation(view, name) !== undefined
  if (levels === 'max' && (depth === levelsMax || !canRepeat)) return options
  if (depth === levelsMax) throw tooComplexError(expandOption, name.column, expandDepthLimit, 'ExpandTooComplex')
  const next = levels === 'max' ? levels : levels - 1
  const nestedItem = { ...item, options: { ...item.options, levels: next } }
  return { ...options, expand: [...(options.expand ?? []), nestedItem] }
}

function outputName({ naming }: Binding, { wire, documentName }: Relation, { name }: NameNode): string {
  if (naming === 'declared') return wire
  return name === '*' ? (documentName ?? wire) : name
}
