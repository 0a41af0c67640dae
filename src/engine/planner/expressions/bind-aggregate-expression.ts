// Binding of aggregate expressions, over rows of `$apply` or over related records.
import { invalidOptionError, unsupportedError } from '../../odata/options/option.ts'
import type { AggregateExpression, AggregateNode, Expression, NameNode } from '../../odata/expressions/syntax.ts'
import { message } from '../../../errors/messages.ts'
import type { AggregateColumn } from '../apply/apply-plan.ts'
import type { AggregateMethod, Value, ValueType } from './bound-expression.ts'
import { bindCollection } from './bind-collection.ts'
import { fieldValue } from './field-value.ts'
import { resolveName, joinRecord, type NameScope } from './scope.ts'
import { findRelation, pathKey, unknownPropertyError, type ResourceView } from './names.ts'
import { fieldsNamed, fieldsOf } from './resource-fields.ts'
import { isNumber, typeOf } from './typed-value.ts'

export type BoundAggregate = Pick<AggregateColumn, 'method' | 'value' | 'type'>

export function bindAggregateExpression(scope: NameScope, item: AggregateExpression): BoundAggregate {
  const { expression, column } = item
  if (expression === null) return { method: 'count', value: null, type: 'integer' }
  if (expression.kind === 'count')
    return { method: 'total', value: scope.binder.bindValue(scope, expression), type: 'integer' }
  const method = requireMethod(scope, item)
  const collection = splitAtCollection(scope, expression)
  if (collection !== null) return aggregateCollection(scope, item, collection)
  requireAggregablePath(scope, expression, method)
  const value = bindOperand(scope, expression, method)
  const type = typeOf(value)
  const isOfNumbers = method === 'sum' || method === 'average'
  if (isOfNumbers && type !== null && !isNumber(type) && type !== 'duration')
    throw invalidOptionError(scope.option, column, 'expectedNumber')
  return { method, value, type: resultType(method, type ?? 'integer') }
}

/** `Sales/aggregate(Amount with sum)`: over the records of the collection. */
export function bindPathAggregate(scope: NameScope, { path, item, column }: AggregateNode): Value {
  if (item.from.length > 0) throw unsupportedError(scope.option, column, 'aggregateFromCombined')
  const { related, inside } = bindCollection(scope, path)
  return { kind: 'aggregate', of: { ...related, filter: null }, ...bindAggregateExpression(inside, item) }
}

/** Without a method it would be a custom aggregate, and no model has any. */
export function unknownAggregateError({ record, option }: NameScope, { expression, column }: AggregateExpression) {
  const names = expression?.kind === 'path' ? expression.names : [expression]
  const last = names.at(-1)
  if (last?.kind !== 'name') return invalidOptionError(option, column, message('expectedSign', { sign: 'as' }))
  return fieldsOf(record.view.resource).byLowerCase.has(last.name.toLowerCase())
    ? invalidOptionError(option, last.column, message('expectedSign', { sign: 'with' }))
    : unknownPropertyError(record.view, last, option)
}

/**
 * Whether the item sums or averages fields of related records: each record counts once, however many rows lead to it
 * (3.2.1.1).
 */
export function aggregatesRelated(view: ResourceView, { expression, method }: AggregateExpression): boolean {
  if (expression?.kind !== 'path' || (method?.name !== 'sum' && method?.name !== 'average')) return false
  const [first] = expression.names
  const relation = first === undefined ? undefined : findRelation(view, first)
  return relation !== undefined && relation.isMany !== true
}

function requireMethod(scope: NameScope, item: AggregateExpression): AggregateMethod {
  if (item.method === null) throw unknownAggregateError(scope, item)
  const method = aggregateMethods.get(item.method.name)
  if (method === undefined) throw invalidOptionError(scope.option, item.method.column, 'expectedMethod')
  return method
}

const aggregateMethods: ReadonlyMap<string, AggregateMethod> = new Map(
  (['sum', 'average', 'min', 'max', 'countdistinct'] as const).map((name) => [name, name]),
)

function resultType(method: AggregateMethod, type: ValueType): ValueType {
  if (method === 'countdistinct') return 'integer'
  return method === 'average' && type === 'integer' ? 'decimal' : type
}

interface CollectionPath {
  readonly name: NameNode
  /** The rest of the path, from each record of the collection. */
  readonly rest: Expression
}

/** A path that begins with a relation to many. */
function splitAtCollection({ record, computed }: NameScope, expression: Expression): CollectionPath | null {
  if (expression.kind !== 'path') return null
  const [name, next, ...others] = expression.names
  if (name === undefined || next === undefined) return null
  if (computed.has(pathKey(expression.names))) return null
  if (findRelation(record.view, name)?.isMany !== true) return null
  return { name, rest: others.length === 0 ? next : { kind: 'path', names: [next, ...others], column: next.column } }
}

/**
 * Aggregates each collection first: a sum of sums is the total sum, and a minimum of minima the minimum. The records
 * of a collection belong to one row only, so none counts twice.
 */
function aggregateCollection(
  scope: NameScope,
  item: AggregateExpression,
  { name, rest }: CollectionPath,
): BoundAggregate {
  const { related, inside } = bindCollection(scope, [name])
  const { method, value, type } = bindAggregateExpression(inside, { ...item, expression: rest })
  if (method !== 'sum' && method !== 'min' && method !== 'max')
    throw unsupportedError(scope.option, name.column, 'averageOfCollection')
  return { method, value: { kind: 'aggregate', of: { ...related, filter: null }, method, value, type }, type }
}

function requireAggregablePath(scope: NameScope, expression: Expression, method: AggregateMethod): void {
  if (expression.kind !== 'path') return
  const { record, computed, option } = scope
  if (computed.has(pathKey(expression.names))) return
  let { view } = record
  for (const name of expression.names.slice(0, -1)) {
    const relation = findRelation(view, name)
    if (relation === undefined) return
    if (relation.isMany) throw unsupportedError(option, name.column, 'aggregateOfDistantCollection')
    if (method === 'sum' || method === 'average') throw unsupportedError(option, name.column, 'sumOverRelated')
    view = { ...view, resource: relation.to }
  }
}

/** Distinct related records are counted by their keys. */
function bindOperand(scope: NameScope, expression: Expression, method: AggregateMethod): Value {
  const isPath = expression.kind === 'name' || expression.kind === 'path'
  if (!isPath || method !== 'countdistinct') return scope.binder.bindValue(scope, expression)
  const names = expression.kind === 'name' ? [expression] : expression.names
  const resolved = resolveName(scope, names)
  if (resolved.kind !== 'relation') return scope.binder.bindValue(scope, expression)
  const { from, relation } = resolved
  const [field, another] = fieldsNamed(relation.to, relation.to.key)
  if (relation.isMany || another !== undefined)
    throw unsupportedError(scope.option, expression.column, 'countDistinctCollection')
  const record = joinRecord(scope, from, relation, expression)
  if (field === undefined) throw new Error('a resource without a key')
  return fieldValue(record, field)
}
