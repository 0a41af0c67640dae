// Binding of a set of records to its query options, and of the expanded sets inside it.
import { Fault } from '../../../errors/catalog.ts'
import { relationsOf, type Relation } from '../../model/schema.ts'
import { levelsMax } from '../../odata/options/nested.ts'
import { expandOption, targetAt, unreadable } from '../../odata/options/option.ts'
import type { ExpandItem, Name, NestedOptions } from '../../odata/expressions/syntax.ts'
import { phrase } from '../../../errors/messages.ts'
import { frameAt, orderAt } from '../apply/apply-stage.ts'
import { firstStepOf } from '../apply/apply-work.ts'
import { toldOf } from '../apply/apply-output-names.ts'
import { bindApply, type Applied } from '../apply/bind-apply.ts'
import { bindCompute } from './bind-compute.ts'
import { bindFilter } from '../expressions/bind-filter.ts'
import { bindOrder } from './bind-order.ts'
import { allOf } from '../expressions/bind-lambda.ts'
import { bindSearch } from './bind-search.ts'
import { bindSelect } from './bind-select.ts'
import { follow, nestedOption, notSupported, type Binding } from '../binding.ts'
import {
  frameOf,
  nothingComputed,
  noVariables,
  withRecords,
  type Frame,
  type Spoken,
} from '../expressions/scope.ts'
import { relationNamed, requireRight, unknownProperty, type View } from '../expressions/names.ts'
import type { ExpandPlan, SetPlan } from '../read-plan.ts'
import type { Condition } from '../expressions/expression.ts'

/** The context of a set: its resource and record number, and its nesting in other sets. */
export interface Setting {
  readonly view: View
  readonly number: number
  /** The records of the set that the URL addresses (`$it`); null for that set itself. */
  readonly outermost: Spoken | null
  /** The aliases in scope that stand for records. */
  readonly variables: Frame['variables']
  readonly depth: number
}

export function outermost(view: View): Setting {
  return {
    view,
    number: 0,
    outermost: null,
    variables: noVariables,
    depth: 0,
  }
}

/** In the order of evaluation (OData 4.01 part 1, 11.2.1); `applied` is the result of `$apply`. */
export function bindSet(
  binding: Binding,
  setting: Setting,
  options: NestedOptions,
  applied: Applied | null = null,
): SetPlan {
  const { number } = setting
  const stage = applied?.stage ?? null
  const framedBy = stage === null ? null : frameAt(binding, stage, number)
  const view = framedBy?.record.view ?? setting.view
  const record: Spoken = framedBy?.record ?? { view, number, joins: [], isJoined: false }
  const around = { record, outermost: setting.outermost ?? record }
  const variables = withRecords(setting.variables, around, options.aliases)
  const own = { ...frameOf(binding, record, around.outermost), variables }
  const named = framedBy?.computed ?? nothingComputed
  const { search, filter, expand, orderBy, select, compute } = options
  const framed = (kind: Parameters<Binding['option']>[0], computed = named): Frame => ({
    ...own,
    option: binding.option(kind),
    computed,
  })
  const computed = compute === undefined ? named : bindCompute(framed('compute'), compute)
  const conditions: Condition[] = []
  if (search !== undefined && view.resource.key.length === 0)
    throw notSupported('searchingWhatIsNoRecord', binding.option('search'), { column: 1 })
  if (search !== undefined) conditions.push(bindSearch(framed('search', computed), search))
  if (filter !== undefined) conditions.push(bindFilter(framed('filter', computed), filter))
  const inside = { ...setting, view, variables, outermost: around.outermost }
  const selected = bindSelect(framed('select', computed), select)
  return {
    number,
    resource: view.resource,
    joins: record.joins,
    apply: applied?.plan ?? null,
    ...(stage === null ? selected : { ...selected, selected: toldOf(stage, selected) }),
    filter: allOf(conditions),
    orderBy: bindOrder(
      framed('orderby', computed),
      orderBy,
      stage === null ? undefined : orderAt(stage, number),
    ),
    expand: expand === undefined ? [] : bindExpand(binding, inside, expand),
    skip: options.skip ?? 0,
    top: options.top ?? null,
    count: options.count ?? false,
  }
}

/** Relations in the order of the text (interface 4.3.1). */
function bindExpand(
  binding: Binding,
  setting: Setting,
  items: readonly ExpandItem[],
): readonly ExpandPlan[] {
  const { view } = setting
  const named = namedIn(view, items)
  return items.flatMap((item) => {
    const name = soleName(item)
    if (name.name === '*')
      return relationsOf(view.schema, view.resource)
        .filter((relation) => !named.has(relation) && view.rights.has(relation.to.right))
        .map((relation) => bindRelation(binding, setting, { item, name, relation }))
    const relation = relationNamed(view, name)
    if (relation === undefined) throw unknownProperty(view, name, expandOption)
    return bindRelation(binding, setting, { item, name, relation })
  })
}

/** The named relations; none may be named twice. */
function namedIn(view: View, items: readonly ExpandItem[]): ReadonlySet<Relation> {
  const named = new Set<Relation>()
  for (const name of items.map(soleName)) {
    const relation = relationNamed(view, name)
    if (relation === undefined) continue
    if (named.has(relation)) throw unreadable(expandOption, name.column, phrase('namedTwice'))
    named.add(relation)
  }
  return named
}

function soleName({ path }: ExpandItem): Name {
  const [name, beyond] = path
  if (name === undefined) throw new Error('an item of $expand without a name')
  if (beyond !== undefined) throw notSupported('expandingPath', expandOption, beyond)
  return name
}

interface Expansion {
  readonly item: ExpandItem
  readonly name: Name
  readonly relation: Relation
}

/** Nested options are bound to the related resource (interface 4.3.2). */
function bindRelation(binding: Binding, setting: Setting, expansion: Expansion): ExpandPlan {
  const { item, name, relation } = expansion
  const { options, wants } = item
  const view = { ...setting.view, resource: relation.to }
  requireRight(view, relation.to.right, name, expandOption)
  const isOfMany = wants === 'count' || onlyOfMany.some((option) => options[option] !== undefined)
  if (isOfMany && !relation.isMany)
    throw unreadable(expandOption, name.column, phrase('leadsToOne', { name: relation.wire }))
  const depth = setting.depth + 1
  const number = follow(binding, relation, expandOption, name)
  const inside = { ...setting, view, number, depth }
  const nested = { ...binding, option: nestedOption }
  const applied = appliedInside(nested, inside, { options, name })
  const set = bindSet(nested, inside, deeper(inside, expansion), applied)
  return { ...set, from: setting.number, relation, as: spelled(binding, relation, name), wants }
}

/** Binds the `$apply` of the related records. */
function appliedInside(
  binding: Binding,
  { view, number }: Setting,
  { options: { apply, levels }, name }: Pick<Expansion, 'name'> & Pick<ExpandItem, 'options'>,
): Applied | null {
  if (apply === undefined) return null
  if (levels !== undefined) throw notSupported('applyInLevels', expandOption, name)
  const records = { number: firstStepOf(number), filter: null, joins: [], start: null }
  return bindApply(binding, view, records, apply)
}

const onlyOfMany = ['filter', 'search', 'orderBy', 'top', 'skip', 'count', 'apply'] as const

/** `$levels=3` nests the same item in itself, twice more (OData 4.01 part 2, 5.1.3.2). */
function deeper({ view, depth }: Setting, { item, name }: Expansion): NestedOptions {
  const { levels = 1, ...options } = item.options
  if (levels === 1) return options
  const leadsOn = name.name === '*' || relationNamed(view, name) !== undefined
  if (levels === 'max' && (depth === levelsMax || !leadsOn)) return options
  if (depth === levelsMax)
    throw new Fault('ExpandTooComplex', {
      target: targetAt(expandOption, name.column),
      says: { option: expandOption.name, limit: phrase('relationDepth'), max: levelsMax },
    })
  const next = levels === 'max' ? levels : levels - 1
  const again = { ...item, options: { ...item.options, levels: next } }
  return { ...options, expand: [...(options.expand ?? []), again] }
}

function spelled({ naming }: Binding, { wire, plain }: Relation, { name }: Name): string {
  if (naming === 'declared') return wire
  return name === '*' ? (plain ?? wire) : name
}
