// A set of records meets the options that it is read with, and so do the related records inside them.
import { Fault } from '#faults.ts'
import { relationsOf, type Relation } from '#model/schema.ts'
import { expandOption, targetAt, unreadable } from '#odata/option.ts'
import type { ExpandItem, Name, NestedOptions } from '#odata/syntax.ts'
import { phrase } from '#phrases.ts'
import { bindFilter } from '#plan/bind-filter.ts'
import { bindOrder } from '#plan/bind-order.ts'
import { bindSelect } from '#plan/bind-select.ts'
import { nestedOption, notSupported, type Binding } from '#plan/binding.ts'
import { relationNamed, requireRight, unknownProperty, type View } from '#plan/names.ts'
import type { ExpandPlan, SetPlan } from '#plan/read-plan.ts'

export const bindSet = (binding: Binding, view: View, options: NestedOptions): SetPlan => ({
  resource: view.resource,
  ...bindSelect(binding, view, options.select),
  expand: bindExpand(binding, view, options.expand ?? []),
  filter: options.filter === undefined ? null : bindFilter(binding, view, options.filter),
  orderBy: bindOrder(binding, view, options.orderBy),
  skip: options.skip ?? 0,
  top: options.top ?? null,
  count: options.count ?? false,
})

/** Relations in the order of the text (interface 4.3.1). */
const bindExpand = (
  binding: Binding,
  view: View,
  items: readonly ExpandItem[],
): readonly ExpandPlan[] => {
  const named = namedIn(view, items)
  return items.flatMap((item) => {
    const name = soleName(item)
    if (name.name === '*')
      return relationsOf(view.schema, view.resource)
        .filter((relation) => !named.has(relation) && view.rights.has(relation.to.right))
        .map((relation) => bindRelation(binding, view, { item, name, relation }))
    const relation = relationNamed(view, name)
    if (relation === undefined) throw unknownProperty(view, name, expandOption)
    return bindRelation(binding, view, { item, name, relation })
  })
}

/** The relations that are named, each once. */
const namedIn = (view: View, items: readonly ExpandItem[]): ReadonlySet<Relation> => {
  const named = new Set<Relation>()
  for (const name of items.map(soleName)) {
    const relation = relationNamed(view, name)
    if (relation === undefined) continue
    if (named.has(relation)) throw unreadable(expandOption, name.column, phrase('namedTwice'))
    named.add(relation)
  }
  return named
}

const soleName = ({ path, wants }: ExpandItem): Name => {
  const [name, beyond] = path
  if (name === undefined) throw new Error('an item of $expand without a name')
  if (beyond !== undefined) throw notSupported('expandingPath', expandOption, beyond)
  if (wants === 'references') throw notSupported('expandingReferences', expandOption, name)
  return name
}

interface Expansion {
  readonly item: ExpandItem
  readonly name: Name
  readonly relation: Relation
}

/** What is in the brackets is bound to the resource at the other end (interface 4.3.2). */
const bindRelation = (
  binding: Binding,
  { schema, rights }: View,
  { item: { options, wants }, name, relation }: Expansion,
): ExpandPlan => {
  const view = { schema, rights, resource: relation.to }
  requireRight(view, relation.to.right, name, expandOption)
  refuseUnsupported(options, name)
  const isOfMany = wants === 'count' || onlyOfMany.some((option) => options[option] !== undefined)
  if (isOfMany && !relation.isMany)
    throw unreadable(expandOption, name.column, phrase('leadsToOne', { name: relation.wire }))
  if (binding.expanded.push(relation) > expansionsMax)
    throw new Fault('ExpandTooComplex', {
      target: targetAt(expandOption, name.column),
      says: { option: expandOption.name, limit: phrase('relations'), max: expansionsMax },
    })
  return {
    relation,
    as: spelled(binding, relation, name),
    number: binding.expanded.length,
    wants: wants === 'count' ? 'count' : 'records',
    ...bindSet({ ...binding, option: nestedOption }, view, options),
  }
}

const onlyOfMany = ['filter', 'orderBy', 'top', 'skip', 'count'] as const

const refuseUnsupported = (options: NestedOptions, name: Name): void => {
  if (options.search !== undefined) throw notSupported('nestedSearch', expandOption, name)
  if (options.levels !== undefined) throw notSupported('expandingLevels', expandOption, name)
  if (options.compute !== undefined) throw notSupported('nestedCompute', expandOption, name)
  if (options.aliases !== undefined) throw notSupported('nestedAliases', expandOption, name)
}

const spelled = ({ naming }: Binding, { wire, plain }: Relation, { name }: Name): string => {
  if (naming === 'declared') return wire
  return name === '*' ? (plain ?? wire) : name
}

/** All of a query together: a join of more than 64 tables is more than SQLite takes. */
const expansionsMax = 30
