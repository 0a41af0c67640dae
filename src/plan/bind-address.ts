// The way to the records of an address becomes conditions: the keys that stand in it, and what leads on from them.
import type { Schema } from '#model/schema.ts'
import { parseFilter } from '#odata/filter.ts'
import { pathOption, type Option } from '#odata/option.ts'
import type { Query } from '#odata/query.ts'
import type { FilterSegment } from '#odata/resource-path.ts'
import { ownKey, type Located, type Way } from '#plan/address.ts'
import { bindFilter } from '#plan/bind-filter.ts'
import { bindKey } from '#plan/bind-key.ts'
import type { Binding } from '#plan/binding.ts'
import { constant } from '#plan/compare-field.ts'
import { requireRight, type View } from '#plan/names.ts'
import type { Condition, ReadPlan, Start } from '#plan/read-plan.ts'

/** What an address is bound with. */
export interface Ground {
  readonly binding: Binding
  readonly schema: Schema
  readonly rights: View['rights']
  /** Where the aliases of `/$filter(@name)` are. */
  readonly query: Query
}

/**
 * Null where a key in it can be none of its resource, so that there is no such record. Throws `ScopeMissing` where
 * the way leads to what the caller may not read.
 */
export const bindLocated = (
  ground: Ground,
  located: Located,
): Pick<ReadPlan, 'filter' | 'start'> | null => {
  const { binding, schema, rights } = ground
  const { resource, key, filters, via } = located
  const view: View = { schema, resource, rights }
  const start = via === null ? null : bindStart(ground, view, via)
  const isKey =
    key.length === 0 ? null : bindKey(binding, view, { values: key, own: ownKey(located) })
  if ((via !== null && start === null) || (key.length > 0 && isKey === null)) return null
  const conditions = filters.map((filter) => bindSegment(ground, view, filter))
  return { filter: allOf(isKey === null ? conditions : [isKey, ...conditions]), start }
}

const bindStart = (ground: Ground, view: View, { relation, from, column }: Way): Start | null => {
  const name = { kind: 'name', name: relation.wire, column } as const
  requireRight(view, relation.to.right, name, pathOption)
  const bound = bindLocated(ground, from)
  return bound === null ? null : { relation, ...bound }
}

/** Null where there is nothing to meet. */
export const allOf = (conditions: readonly Condition[]): Condition | null => {
  const [first, ...others] = conditions
  if (first === undefined) return null
  return others.length === 0 ? first : { kind: 'and', of: conditions }
}

/** The columns of what stands in the path are columns of the path. */
const bindSegment = (
  { binding, query }: Ground,
  view: View,
  { condition }: FilterSegment,
): Condition => {
  if (condition.kind !== 'alias')
    return bindFilter({ ...binding, option: () => pathOption }, view, condition)
  const text = query.get(condition.name)
  // An alias that was not given is null, and no record meets null.
  if (text === undefined) return constant(false)
  const option: Option = { name: `@${condition.name.slice(1)}`, fault: 'InvalidAlias' }
  const parsed = parseFilter(text, binding.dialect, option)
  return bindFilter({ ...binding, option: () => option }, view, parsed)
}
