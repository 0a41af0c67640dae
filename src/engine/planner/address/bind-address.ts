// Path binding: turns a resolved path into conditions on keys, filters and parent records.
import type { Schema } from '../../model/schema.ts'
import { parseFilter } from '../../odata/options/filter.ts'
import { pathOption, type Option } from '../../odata/options/option.ts'
import type { Query } from '../../odata/options/query.ts'
import type { FilterSegment } from '../../odata/path/resource-path.ts'
import type { Located, Way } from './address.ts'
import { bindFilter } from '../expressions/bind-filter.ts'
import { allOf } from '../expressions/bind-lambda.ts'
import { bindKey } from './bind-key.ts'
import { follow, type Binding } from '../binding.ts'
import { constant } from '../expressions/compare-value.ts'
import { frameOf, type Spoken } from '../expressions/scope.ts'
import { ownKey, requireRight, type View } from '../expressions/names.ts'
import type { ReadPlan } from '../read-plan.ts'
import type { Condition, Start } from '../expressions/expression.ts'

/** The context that a path is bound in. */
export interface Ground {
  readonly binding: Binding
  readonly schema: Schema
  readonly rights: View['rights']
  /** Has the aliases of `/$filter(@name)`. */
  readonly query: Query
}

/** The parts of a read plan that a path determines. */
export interface BoundPathTarget {
  readonly filter: ReadPlan['filter']
  readonly joins: ReadPlan['joins']
  readonly start: ReadPlan['start']
}

/**
 * Null where a key in the path cannot be a key of its resource, so that no such record exists. Throws `ScopeMissing`
 * where the path leads to records that the caller may not read. `number` is the record number of the addressed
 * records.
 */
export function bindLocated(ground: Ground, located: Located, number = 0): BoundPathTarget | null {
  const { binding, schema, rights } = ground
  const { resource, key: values, filters, via } = located
  const view: View = { schema, resource, rights }
  const start = via === null ? null : bindStart(ground, view, via)
  const named = {
    number,
    values,
    own: ownKey(resource, via?.relation ?? null),
    option: pathOption,
  }
  const isKey = values.length === 0 ? null : bindKey(binding, view, named)
  if ((via !== null && start === null) || (values.length > 0 && isKey === null)) return null
  const record: Spoken = { view, number, joins: [], isJoined: false }
  const conditions = filters.map((filter) => bindSegment(ground, record, filter))
  const filter = allOf(isKey === null ? conditions : [isKey, ...conditions])
  return { filter, joins: record.joins, start }
}

function bindStart(ground: Ground, view: View, { relation, from, column }: Way): Start | null {
  const name = { kind: 'name', name: relation.wire, column } as const
  requireRight(view, relation.to.right, name, pathOption)
  const number = follow(ground.binding, relation, pathOption, name)
  const bound = bindLocated(ground, from, number)
  return bound === null ? null : { number, relation, filter: bound.filter, start: bound.start }
}

/** Errors in a condition inside the path report columns of the path. */
function bindSegment(
  { binding, query }: Ground,
  record: Spoken,
  { condition }: FilterSegment,
): Condition {
  const frame = frameOf(binding, record, record)
  if (condition.kind !== 'alias') return bindFilter({ ...frame, option: pathOption }, condition)
  const text = query.get(condition.name)
  // An alias without a value is null, and a null condition matches no record.
  if (text === undefined) return constant(false)
  const option: Option = { name: `@${condition.name.slice(1)}`, fault: 'InvalidAlias' }
  return bindFilter({ ...frame, option }, parseFilter(text, binding.dialect, option))
}
