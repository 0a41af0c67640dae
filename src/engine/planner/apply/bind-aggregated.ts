// Binding of aggregate expressions, over rows of `$apply` or over related records.
import { unreadable, unsupported } from '../../odata/options/option.ts'
import type {
  Aggregated,
  AggregatedMany,
  Expression,
  Name,
} from '../../odata/expressions/syntax.ts'
import { phrase } from '../../../errors/messages.ts'
import type { AggregateColumn } from './apply-plan.ts'
import type { AggregateMethod, Value, ValueType } from '../expressions/expression.ts'
import { isNumber, typeOf } from '../expressions/arithmetic.ts'
import { manyAt } from '../expressions/bind-lambda.ts'
import { fieldValue } from '../expressions/field-expression.ts'
import { meaningOf, nothingComputed, recordAt, type Frame } from '../expressions/scope.ts'
import { fieldsOf, relationNamed, unknownProperty, type View } from '../expressions/names.ts'

export type BindValue = (frame: Frame, expression: Expression) => Value

export type Bound = Pick<AggregateColumn, 'method' | 'value' | 'type'>

export function bindAggregated(frame: Frame, item: Aggregated, bindValue: BindValue): Bound {
  const { expression, column } = item
  if (expression === null) return { method: 'count', value: null, type: 'integer' }
  if (expression.kind === 'count')
    return { method: 'total', value: bindValue(frame, expression), type: 'integer' }
  const method = methodOf(frame, item)
  const many = firstOfMany(frame, expression)
  if (many !== null) return throughMany(frame, { ...item, expression: many.rest }, many, bindValue)
  refuseWays(frame, expression, method)
  const value = valueOf(frame, expression, method, bindValue)
  const type = typeOf(value)
  const adds = method === 'sum' || method === 'average'
  if (adds && type !== null && !isNumber(type) && type !== 'duration')
    throw unreadable(frame.option, column, phrase('expectedNumber'))
  return { method, value, type: typeBy(method, type ?? 'integer') }
}

/** `Sales/aggregate(Amount with sum)`: over the records of the collection. */
export function bindAggregatedMany(
  frame: Frame,
  { of, item, column }: AggregatedMany,
  bindValue: BindValue,
): Value {
  if (item.from.length > 0) throw unsupported(frame.option, column, phrase('aggregatingFromBeside'))
  const { record, inside, ...related } = manyAt(frame, of)
  const bound = bindAggregated({ ...inside, record, computed: nothingComputed }, item, bindValue)
  return { kind: 'aggregate', of: { ...related, joins: record.joins, filter: null }, ...bound }
}

/** Without a method it would be a custom aggregate, and no model has any. */
export function unknownAggregate({ record, option }: Frame, { expression, column }: Aggregated) {
  const names = expression?.kind === 'path' ? expression.names : [expression]
  const last = names.at(-1)
  if (last?.kind !== 'name')
    return unreadable(option, column, phrase('expectedSign', { sign: 'as' }))
  return fieldsOf(record.view.resource).byLowerCase.has(last.name.toLowerCase())
    ? unreadable(option, last.column, phrase('expectedSign', { sign: 'with' }))
    : unknownProperty(record.view, last, option)
}

/**
 * Whether the item sums or averages fields of related records: each record counts once, however many rows lead to it
 * (3.2.1.1).
 */
export function addsRelated(view: View, { expression, method }: Aggregated): boolean {
  if (expression?.kind !== 'path' || (method?.name !== 'sum' && method?.name !== 'average'))
    return false
  const [first] = expression.names
  const relation = first === undefined ? undefined : relationNamed(view, first)
  return relation !== undefined && relation.isMany !== true
}

function methodOf(frame: Frame, item: Aggregated): AggregateMethod {
  if (item.method === null) throw unknownAggregate(frame, item)
  const method = methods.get(item.method.name)
  if (method === undefined)
    throw unreadable(frame.option, item.method.column, phrase('expectedMethod'))
  return method
}

const methods: ReadonlyMap<string, AggregateMethod> = new Map(
  (['sum', 'average', 'min', 'max', 'countdistinct'] as const).map((name) => [name, name]),
)

function typeBy(method: AggregateMethod, type: ValueType): ValueType {
  if (method === 'countdistinct') return 'integer'
  return method === 'average' && type === 'integer' ? 'decimal' : type
}

interface Many {
  readonly name: Name
  /** The rest of the path, from each record of the collection. */
  readonly rest: Expression
}

/** A path that begins with a relation to many. */
function firstOfMany({ record, computed }: Frame, expression: Expression): Many | null {
  if (expression.kind !== 'path') return null
  const [name, next, ...others] = expression.names
  if (name === undefined || next === undefined) return null
  if (computed.has(expression.names.map((one) => one.name.toLowerCase()).join('/'))) return null
  if (relationNamed(record.view, name)?.isMany !== true) return null
  const { column } = next
  return {
    name,
    rest: others.length === 0 ? next : { kind: 'path', names: [next, ...others], column },
  }
}

/**
 * Aggregates each collection first: a sum of sums is the total sum, and a minimum of minima the minimum. The records
 * of a collection belong to one row only, so none counts twice.
 */
function throughMany(frame: Frame, item: Aggregated, { name }: Many, bindValue: BindValue): Bound {
  const { record, inside: around, ...related } = manyAt(frame, [name])
  const inside = { ...around, record, computed: nothingComputed }
  const { method, value, type } = bindAggregated(inside, item, bindValue)
  if (method !== 'sum' && method !== 'min' && method !== 'max')
    throw unsupported(frame.option, name.column, phrase('aggregatingMany'))
  const of = { ...related, joins: record.joins, filter: null }
  return { method, value: { kind: 'aggregate', of, method, value, type }, type }
}

function refuseWays(frame: Frame, expression: Expression, method: AggregateMethod): void {
  if (expression.kind !== 'path') return
  const { record, computed, option } = frame
  if (computed.has(expression.names.map(({ name }) => name.toLowerCase()).join('/'))) return
  let { view } = record
  for (const name of expression.names.slice(0, -1)) {
    const relation = relationNamed(view, name)
    if (relation === undefined) return
    if (relation.isMany) throw unsupported(option, name.column, phrase('aggregatingMany'))
    if (method === 'sum' || method === 'average')
      throw unsupported(option, name.column, phrase('addingRelated'))
    view = { ...view, resource: relation.to }
  }
}

/** Distinct related records are counted by their keys. */
function valueOf(
  frame: Frame,
  expression: Expression,
  method: AggregateMethod,
  bindValue: BindValue,
): Value {
  const isWay = expression.kind === 'name' || expression.kind === 'path'
  if (!isWay || method !== 'countdistinct') return bindValue(frame, expression)
  const names = expression.kind === 'name' ? [expression] : expression.names
  const meaning = meaningOf(frame, names)
  if (meaning.kind !== 'relation') return bindValue(frame, expression)
  const { from, relation } = meaning
  const [key, another] = relation.to.key
  if (relation.isMany || another !== undefined)
    throw unsupported(frame.option, expression.column, phrase('aggregatingMany'))
  const record = recordAt(frame, from, relation, expression)
  const field = fieldsOf(relation.to).all.find(({ name }) => name === key)
  if (field === undefined) throw new Error('a resource without a key')
  return fieldValue(record, field)
}
