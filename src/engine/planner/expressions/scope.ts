// Scope: name resolution for expressions (fields, relations, lambda variables, `$it`, `$root`).
import type { Relation } from '../../model/schema.ts'
import {
  truncateName,
  invalidOptionError,
  tooComplexError,
  unsupportedError,
  type QueryOption,
} from '../../odata/options/option.ts'
import type { Expression, NameNode } from '../../odata/expressions/syntax.ts'
import type { ApiError } from '../../../errors/api-error.ts'
import { message, type MessageCode, type MessageParams } from '../../../errors/messages.ts'
import { fieldValue } from './field-value.ts'
import { bindKey } from './bind-key.ts'
import { addJoinedRelation, type Binding } from '../binding.ts'
import {
  findComplexProperty,
  getField,
  requiredKeyFields,
  findRelation,
  requireReadScope,
  pathKey,
  type ResourceView,
} from './names.ts'
import { fieldsOf, type NamedComplexProperty, type NamedField } from './resource-fields.ts'
import type { Condition, FieldValue, RecordJoin, Value, ValueType } from './bound-expression.ts'

/** A reference to a record that an expression may use. */
export interface RecordRef {
  readonly view: ResourceView
  readonly number: number
  /** The single related records that expressions joined to it so far. */
  readonly joins: RecordJoin[]
  /** Whether the record may be missing. */
  readonly isJoined: boolean
}

export interface NameScope {
  readonly binding: Binding
  /** Binds the expressions inside of others. */
  readonly binder: ExpressionBinder
  readonly option: QueryOption
  /** The record whose fields need no prefix. */
  readonly record: RecordRef
  /** `$it`: the record of the set that the URL addresses (OData 4.01 part 2, 5.1.1.14.4). */
  readonly outermost: RecordRef
  /** The lambda variables in scope, in lower case. */
  readonly variables: ReadonlyMap<string, RecordRef>
  /** The aliases of `$compute` and `$apply` by their path in lower case. */
  readonly computed: ReadonlyMap<string, ComputedValue>
  /** The values of the `$these` aggregates in these expressions. */
  readonly these: ReadonlyMap<Expression, Value>
  /** The nesting depth in collections. */
  readonly collectionDepth: number
  /** The outer records of a `$root/Set` expression, which it may not use. */
  readonly outOfScope: ReadonlySet<RecordRef>
}

/** The functions that bind conditions and values, which contain each other. */
interface ExpressionBinder {
  /** The condition that the expression is true, or that it is false, as `expected` says. */
  readonly bindCondition: (scope: NameScope, node: Expression, expected: boolean) => Condition
  readonly bindValue: (scope: NameScope, node: Expression, expectedType?: ValueType) => Value
}

export function invalidExpressionError(
  { option }: NameScope,
  column: number,
  problem: MessageCode,
  params?: MessageParams,
): ApiError {
  return invalidOptionError(option, column, message(problem, params))
}

/** A value with a `$compute` alias. */
export interface ComputedValue {
  readonly name: string
  readonly value: Value
  /** Its name in the response, where it differs. */
  readonly as?: string
  /** The names of the objects that contain it in the response. */
  readonly within?: readonly string[]
}

export const noTheseAggregates: NameScope['these'] = new Map()

export const noVariables: NameScope['variables'] = new Map()

export const noComputedValues: NameScope['computed'] = new Map()

/** What a name, or a path of names, refers to. */
export type ResolvedName =
  | { readonly kind: 'field'; readonly field: NamedField; readonly value: FieldValue }
  | { readonly kind: 'computed'; readonly value: Value }
  /** A complex property, and the record that has it. */
  | { readonly kind: 'complex'; readonly of: RecordRef; readonly complexProperty: NamedComplexProperty }
  | { readonly kind: 'relation'; readonly from: RecordRef; readonly relation: Relation }
  /** A record itself: `$it`, or a lambda variable. */
  | { readonly kind: 'record' }

/** Resolves a name or a path. Throws `UnknownProperty`, `ScopeMissing`, and errors of invalid paths. */
export function resolveName(scope: NameScope, names: readonly NameNode[]): ResolvedName {
  const [first, ...others] = names
  if (first === undefined) throw new Error('an empty path')
  const start = findRecord(scope, first)
  if (start !== undefined && others.length === 0) return { kind: 'record' }
  const steps = start === undefined ? names : others
  if (scope.outOfScope.has(start ?? scope.record) && steps[0]?.name !== '$root')
    throw unsupportedError(scope.option, first.column, 'outerVariableInRoot')
  const computed = start === undefined || start === scope.record ? scope.computed.get(pathKey(steps)) : undefined
  if (computed !== undefined) return { kind: 'computed', value: computed.value }
  return resolveInRecord(scope, start ?? scope.record, steps)
}

/** Follows relations to the record that has the property. */
function resolveInRecord(scope: NameScope, record: RecordRef, names: readonly NameNode[]): ResolvedName {
  const [first, ...others] = names
  if (first === undefined) throw new Error('an empty path')
  if (first.name === '$root') return resolveRelation(scope, record, resolveRoot(scope, record, names))
  const { byLowerCase } = fieldsOf(record.view.resource)
  const complexProperty = findComplexProperty(record.view, names)
  if (complexProperty !== undefined) return { kind: 'complex', of: record, complexProperty }
  const isField = byLowerCase.has(pathKey(names)) || byLowerCase.has(first.name.toLowerCase())
  const relation = isField ? undefined : findRelation(record.view, first)
  if (relation === undefined) return resolveField(scope, record, names)
  return resolveRelation(scope, record, { relation, name: first, others })
}

interface RelationStep {
  readonly relation: Relation
  readonly name: NameNode
  /** The names after the relation. */
  readonly others: readonly NameNode[]
}

function resolveRelation(scope: NameScope, record: RecordRef, { relation, name, others }: RelationStep): ResolvedName {
  requireReadScope(record.view, relation.to.readScope, name, scope.option)
  if (name.keys !== undefined) {
    const to = joinRecordByKey(scope, record, relation, name)
    return others.length === 0 ? { kind: 'record' } : resolveInRecord(scope, to, others)
  }
  if (others.length === 0) return { kind: 'relation', from: record, relation }
  if (relation.isMany) {
    const problem = message('isCollection', { name: relation.wire })
    throw invalidOptionError(scope.option, name.column, problem)
  }
  return resolveInRecord(scope, joinRecord(scope, record, relation, name), others)
}

/** `$root/Set` leads to all records of a set (OData 4.01 part 2, 5.1.1.14.4). */
function resolveRoot(
  { option }: NameScope,
  { view }: RecordRef,
  [root, name, ...others]: readonly NameNode[],
): RelationStep {
  const { schema, resource: of } = view
  const lower = name?.name.toLowerCase()
  const to = schema.resources.find(({ wire }) => wire.toLowerCase() === lower)
  if (name === undefined || to === undefined)
    throw invalidOptionError(option, name?.column ?? root?.column ?? 1, 'noSuchSet')
  // Each retrieval of such records is logged (ADR 0031), which a read inside an expression would bypass.
  if (to.isReadLogged) throw unsupportedError(option, name.column, 'exportInExpression')
  return { relation: { of, wire: `$root/${to.wire}`, to, isMany: true, on: {} }, name, others }
}

/** Joins the single record that a relation leads to; equal paths share one join. */
export function joinRecord(
  scope: NameScope,
  from: RecordRef,
  relation: Relation,
  at: Pick<NameNode, 'column'>,
): RecordRef {
  if (isOuterRecord(scope, from)) throw unsupportedError(scope.option, at.column, 'itPathInExpand')
  const { joins, view } = from
  let join = joins.find((one) => one.from === from.number && one.relation === relation)
  if (join === undefined) {
    const number = addJoinedRelation(scope.binding, relation, scope.option, at)
    join = { number, from: from.number, relation }
    joins.push(join)
  }
  return { view: { ...view, resource: relation.to }, number: join.number, joins, isJoined: true }
}

/** Joins one record of a collection by its key. */
function joinRecordByKey(scope: NameScope, from: RecordRef, relation: Relation, name: NameNode): RecordRef {
  if (isOuterRecord(scope, from)) throw unsupportedError(scope.option, name.column, 'itPathInExpand')
  if (scope.outOfScope.has(from)) throw unsupportedError(scope.option, name.column, 'outerVariableInRoot')
  const { binding, option } = scope
  const view = { ...from.view, resource: relation.to }
  const number = addJoinedRelation(binding, relation, option, name)
  const values = name.keys ?? []
  const required = requiredKeyFields(relation.to, relation)
  const key = relation.isMany ? bindKey(binding, view, { number, values, required, option }) : null
  if (key === null) throw invalidOptionError(option, name.column, message('noSuchKey', { name: relation.to.wire }))
  from.joins.push({ number, from: from.number, relation, key })
  return { view, number, joins: from.joins, isJoined: true }
}

/**
 * The scope of expressions about each record of a collection. The cost of nested collections multiplies; all records
 * of a `$root` set are scanned once, not once for each outer record.
 */
export function collectionScope(scope: NameScope, relation: Relation, { column }: NameNode): NameScope {
  const collectionDepth = scope.collectionDepth + 1
  if (collectionDepth > collectionDepthMax)
    throw tooComplexError(scope.option, column, { limit: 'collections', max: collectionDepthMax })
  if (Object.keys(relation.on).length > 0) return { ...scope, collectionDepth }
  const { outOfScope, record, outermost, variables } = scope
  const outerRecords = new Set([...outOfScope, record, outermost, ...variables.values()])
  return { ...scope, collectionDepth, outOfScope: outerRecords, these: noTheseAggregates }
}

const collectionDepthMax = 3

function findRecord(scope: NameScope, name: NameNode): RecordRef | undefined {
  const lower = name.name.toLowerCase()
  if (lower === '$these') throw unsupportedError(scope.option, name.column, 'theseOutside')
  if (lower === '$it') return scope.outermost
  if (lower === '$this') return scope.record
  const record = scope.variables.get(lower)
  if (record === undefined && lower.startsWith('@')) {
    const feature = message('aPathFrom', { name: truncateName(name.name) })
    throw unsupportedError(scope.option, name.column, feature)
  }
  return record
}

/** Adds the aliases that stand for a record: `@m=$this` in nested options. */
export function withRecordAliases(
  variables: NameScope['variables'],
  { record, outermost }: Pick<NameScope, 'record' | 'outermost'>,
  aliases: ReadonlyMap<string, Expression> | undefined,
): NameScope['variables'] {
  if (aliases === undefined) return variables
  const named = [...aliases].flatMap(([alias, node]): [string, RecordRef][] => {
    const name = node.kind === 'name' ? node.name.toLowerCase() : ''
    if (name !== '$this' && name !== '$it') return []
    return [[alias.toLowerCase(), name === '$it' ? outermost : record]]
  })
  return named.length === 0 ? variables : new Map([...variables, ...named])
}

function resolveField(scope: NameScope, record: RecordRef, names: readonly NameNode[]): ResolvedName {
  const field = getField(record.view, names, scope.option)
  if (isOuterRecord(scope, record)) scope.binding.outerFields.add(field.name)
  return { kind: 'field', field, value: fieldValue(record, field) }
}

/** Whether the record belongs to another part of the statement: `$it` inside `$expand`. */
function isOuterRecord({ record, outermost }: NameScope, { joins }: RecordRef): boolean {
  return joins === outermost.joins && joins !== record.joins
}

/** The fields of a complex value. Throws `ScopeMissing` for a field that the caller may not read. */
export function complexFieldValues(
  scope: NameScope,
  { of, complexProperty }: ResolvedName & { readonly kind: 'complex' },
  at: Pick<NameNode, 'column'>,
): readonly { readonly field: NamedField; readonly value: FieldValue }[] {
  return complexProperty.fields.map((field) => {
    requireReadScope(of.view, field.readScope, at, scope.option)
    if (isOuterRecord(scope, of)) scope.binding.outerFields.add(field.name)
    return { field, value: fieldValue(of, field) }
  })
}
