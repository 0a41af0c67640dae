// Path binding: turns a resolved path into conditions on keys, filters and parent records.
import type { Schema } from '../../model/schema.ts'
import { parseFilter } from '../../odata/options/filter.ts'
import { aliasOption, pathOption } from '../../odata/options/option.ts'
import type { Query } from '../../odata/options/query.ts'
import type { FilterSegment } from '../../odata/path/resource-path.ts'
import type { PathTarget, PathRelation } from './resolved-path.ts'
import { bindFilter, createScope } from '../expressions/bind-filter.ts'
import { bindKey } from '../expressions/bind-key.ts'
import { addJoinedRelation, type Binding } from '../binding.ts'
import { conjunctionOf, constant } from '../expressions/conditions.ts'
import type { RecordRef } from '../expressions/scope.ts'
import { requiredKeyFields, requireReadScope, type ResourceView } from '../expressions/names.ts'
import type { ReadPlan } from '../read-plan.ts'
import type { Condition, ParentRecord } from '../expressions/bound-expression.ts'

/** The context that a path is bound in. */
export interface PathBindingContext {
  readonly binding: Binding
  readonly schema: Schema
  readonly grantedScopes: ResourceView['grantedScopes']
  /** Has the aliases of `/$filter(@name)`. */
  readonly query: Query
}

/** The parts of a read plan that a path determines. */
export type BoundPathTarget = Pick<ReadPlan, 'filter' | 'joins' | 'parent'>

/**
 * Null where a key in the path cannot be a key of its resource, so that no such record exists. Throws `ScopeMissing`
 * where the path leads to records that the caller may not read. `number` is the record number of the addressed
 * records.
 */
export function bindPathTarget(context: PathBindingContext, target: PathTarget, number = 0): BoundPathTarget | null {
  const { binding, schema, grantedScopes } = context
  const { resource, key: values, filters, via } = target
  const view: ResourceView = { schema, resource, grantedScopes }
  const parent = via === null ? null : bindParent(context, view, via)
  const named = { number, values, required: requiredKeyFields(resource, via?.relation ?? null), option: pathOption }
  const keyCondition = values.length === 0 ? null : bindKey(binding, view, named)
  if ((via !== null && parent === null) || (values.length > 0 && keyCondition === null)) return null
  const record: RecordRef = { view, number, joins: [], isJoined: false }
  const conditions = filters.map((filter) => bindFilterSegment(context, record, filter))
  const filter = conjunctionOf(keyCondition === null ? conditions : [keyCondition, ...conditions])
  return { filter, joins: record.joins, parent }
}

function bindParent(
  context: PathBindingContext,
  view: ResourceView,
  { relation, from, column }: PathRelation,
): ParentRecord | null {
  const name = { kind: 'name', name: relation.wire, column } as const
  requireReadScope(view, relation.to.readScope, name, pathOption)
  const number = addJoinedRelation(context.binding, relation, pathOption, name)
  const bound = bindPathTarget(context, from, number)
  return bound === null ? null : { number, relation, filter: bound.filter, parent: bound.parent }
}

/** Errors in a condition inside the path report columns of the path. */
function bindFilterSegment(
  { binding, query }: PathBindingContext,
  record: RecordRef,
  { condition }: FilterSegment,
): Condition {
  const scope = createScope(binding, record, record)
  if (condition.kind !== 'alias') return bindFilter({ ...scope, option: pathOption }, condition)
  const text = query.get(condition.name)
  // An alias without a value is null, and a null condition matches no record.
  if (text === undefined) return constant(false)
  const option = aliasOption(condition.name)
  return bindFilter({ ...scope, option }, parseFilter(text, binding.dialect, option))
}
