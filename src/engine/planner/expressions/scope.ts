// Scope: name resolution for expressions (fields, relations, lambda variables, `$it`, `$root`).
import { Fault } from '../../../errors/catalog.ts'
import type { Relation } from '../../model/schema.ts'
import {
  shown,
  targetAt,
  unreadable,
  unsupported,
  type Option,
} from '../../odata/options/option.ts'
import type { Expression, Name } from '../../odata/expressions/syntax.ts'
import { phrase } from '../../../errors/messages.ts'
import { fieldValue } from './field-expression.ts'
import { bindKey } from '../address/bind-key.ts'
import { follow, notSupported, type Binding } from '../binding.ts'
import {
  compositeAt,
  fieldAt,
  fieldsOf,
  ownKey,
  relationNamed,
  requireRight,
  wayOf,
  type NamedComposite,
  type NamedField,
  type View,
} from './names.ts'
import type { FieldValue, Join, Value } from './expression.ts'

/** A reference to a record that an expression may use. */
export interface Spoken {
  readonly view: View
  readonly number: number
  /** The single related records that expressions joined to it so far. */
  readonly joins: Join[]
  /** Whether the record may be missing. */
  readonly isJoined: boolean
}

export interface Frame {
  readonly binding: Binding
  readonly option: Option
  /** The record whose fields need no prefix. */
  readonly record: Spoken
  /** `$it`: the record of the set that the URL addresses (OData 4.01 part 2, 5.1.1.14.4). */
  readonly outermost: Spoken
  /** The lambda variables in scope, in lower case. */
  readonly variables: ReadonlyMap<string, Spoken>
  /** The aliases of `$compute` and `$apply` by their path in lower case. */
  readonly computed: ReadonlyMap<string, NamedValue>
  /** The values of the `$these` aggregates in these expressions. */
  readonly these: ReadonlyMap<Expression, Value>
  /** The nesting depth in collections. */
  readonly collections: number
  /** The outer records of a `$root/Set` expression, which it may not use. */
  readonly apart: ReadonlySet<Spoken>
}

/** A value with a `$compute` alias. */
export interface NamedValue {
  readonly name: string
  readonly value: Value
  /** Its name in the response, where it differs. */
  readonly as?: string
  /** The names of the objects that contain it in the response. */
  readonly within?: readonly string[]
}

/** Creates the scope of expressions about a set. */
export function frameOf(
  binding: Binding,
  record: Spoken,
  outermost: Spoken,
): Omit<Frame, 'option'> {
  return {
    binding,
    record,
    outermost,
    variables: noVariables,
    computed: nothingComputed,
    these: nothingOfThese,
    collections: 0,
    apart: new Set(),
  }
}

const nothingOfThese: Frame['these'] = new Map()

export const noVariables: Frame['variables'] = new Map()

export const nothingComputed: Frame['computed'] = new Map()

/** What a name, or a path of names, refers to. */
export type Meaning =
  | { readonly kind: 'field'; readonly field: NamedField; readonly value: FieldValue }
  | { readonly kind: 'computed'; readonly value: Value }
  /** A complex property, and the record that has it. */
  | { readonly kind: 'complex'; readonly of: Spoken; readonly composite: NamedComposite }
  | { readonly kind: 'relation'; readonly from: Spoken; readonly relation: Relation }
  /** A record itself: `$it`, or a lambda variable. */
  | { readonly kind: 'record' }

/** Resolves a name or a path. Throws `UnknownProperty`, `ScopeMissing`, and errors of invalid paths. */
export function meaningOf(frame: Frame, names: readonly Name[]): Meaning {
  const [first, ...others] = names
  if (first === undefined) throw new Error('an empty path')
  const start = recordNamed(frame, first)
  if (start !== undefined && others.length === 0) return { kind: 'record' }
  const steps = start === undefined ? names : others
  if (frame.apart.has(start ?? frame.record) && steps[0]?.name !== '$root')
    throw notSupported('outsideOfRoot', frame.option, first)
  const computed =
    start === undefined || start === frame.record ? frame.computed.get(wayOf(steps)) : undefined
  if (computed !== undefined) return { kind: 'computed', value: computed.value }
  return meaningAt(frame, start ?? frame.record, steps)
}

/** Follows relations to the record that has the property. */
function meaningAt(frame: Frame, record: Spoken, names: readonly Name[]): Meaning {
  const [first, ...others] = names
  if (first === undefined) throw new Error('an empty path')
  if (first.name === '$root') return leading(frame, record, rootRelation(frame, record, names))
  const { byLowerCase } = fieldsOf(record.view.resource)
  const composite = compositeAt(record.view, names)
  if (composite !== undefined) return { kind: 'complex', of: record, composite }
  const isField = byLowerCase.has(wayOf(names)) || byLowerCase.has(first.name.toLowerCase())
  const relation = isField ? undefined : relationNamed(record.view, first)
  if (relation === undefined) return fieldMeant(frame, record, names)
  return leading(frame, record, { relation, name: first, others })
}

interface Step {
  readonly relation: Relation
  readonly name: Name
  /** The names after the relation. */
  readonly others: readonly Name[]
}

function leading(frame: Frame, record: Spoken, { relation, name, others }: Step): Meaning {
  requireRight(record.view, relation.to.right, name, frame.option)
  if (name.keys !== undefined) {
    const to = recordKeyed(frame, record, relation, name)
    return others.length === 0 ? { kind: 'record' } : meaningAt(frame, to, others)
  }
  if (others.length === 0) return { kind: 'relation', from: record, relation }
  if (relation.isMany) {
    const problem = phrase('leadsToMany', { name: relation.wire })
    throw unreadable(frame.option, name.column, problem)
  }
  return meaningAt(frame, recordAt(frame, record, relation, name), others)
}

/** `$root/Set` leads to all records of a set (OData 4.01 part 2, 5.1.1.14.4). */
function rootRelation(
  { option }: Frame,
  { view }: Spoken,
  [root, name, ...others]: readonly Name[],
): Step {
  const { schema, resource: of } = view
  const lower = name?.name.toLowerCase()
  const to = schema.resources.find(({ wire }) => wire.toLowerCase() === lower)
  if (name === undefined || to === undefined)
    throw unreadable(option, name?.column ?? root?.column ?? 1, phrase('noSuchSet'))
  // Each retrieval of such records is logged (ADR 0040), which a read inside an expression would bypass.
  if (to.isUnmarked) throw notSupported('offeredInside', option, name)
  return { relation: { of, wire: `$root/${to.wire}`, to, isMany: true, on: {} }, name, others }
}

/** Joins the single record that a relation leads to; equal paths share one join. */
export function recordAt(
  frame: Frame,
  from: Spoken,
  relation: Relation,
  column: Pick<Name, 'column'>,
): Spoken {
  if (isOutside(frame, from)) throw notSupported('aPathFromOutside', frame.option, column)
  const { joins, view } = from
  let join = joins.find((one) => one.from === from.number && one.relation === relation)
  if (join === undefined) {
    const number = follow(frame.binding, relation, frame.option, column)
    join = { number, from: from.number, relation }
    joins.push(join)
  }
  return {
    view: { ...view, resource: relation.to },
    number: join.number,
    joins,
    isJoined: true,
  }
}

/** Joins one record of a collection by its key. */
function recordKeyed(frame: Frame, from: Spoken, relation: Relation, name: Name): Spoken {
  if (isOutside(frame, from)) throw notSupported('aPathFromOutside', frame.option, name)
  if (frame.apart.has(from)) throw notSupported('outsideOfRoot', frame.option, name)
  const { binding, option } = frame
  const view = { ...from.view, resource: relation.to }
  const number = follow(binding, relation, option, name)
  const values = name.keys ?? []
  const own = ownKey(relation.to, relation)
  const key = relation.isMany ? bindKey(binding, view, { number, values, own, option }) : null
  if (key === null)
    throw unreadable(option, name.column, phrase('noSuchKey', { name: relation.to.wire }))
  from.joins.push({ number, from: from.number, relation, key })
  return { view, number, joins: from.joins, isJoined: true }
}

/**
 * The scope of expressions about each record of a collection. The cost of nested collections multiplies; all records
 * of a `$root` set are scanned once, not once for each outer record.
 */
export function insideOf(frame: Frame, relation: Relation, { column }: Name): Frame {
  const collections = frame.collections + 1
  if (collections > collectionsMax)
    throw new Fault('FilterTooComplex', {
      target: targetAt(frame.option, column),
      says: { option: frame.option.name, limit: phrase('collections'), max: collectionsMax },
    })
  if (Object.keys(relation.on).length > 0) return { ...frame, collections }
  const { apart, record, outermost, variables } = frame
  const around = new Set([...apart, record, outermost, ...variables.values()])
  return { ...frame, collections, apart: around, these: nothingOfThese }
}

const collectionsMax = 3

function recordNamed(frame: Frame, name: Name): Spoken | undefined {
  const lower = name.name.toLowerCase()
  if (lower === '$these') throw unsupported(frame.option, name.column, phrase('theseOutside'))
  if (lower === '$it') return frame.outermost
  if (lower === '$this') return frame.record
  const record = frame.variables.get(lower)
  if (record === undefined && lower.startsWith('@')) {
    const feature = phrase('startingAt', { name: shown(name.name) })
    throw unsupported(frame.option, name.column, feature)
  }
  return record
}

/** Adds the aliases that stand for a record: `@m=$this` in nested options. */
export function withRecords(
  variables: Frame['variables'],
  { record, outermost }: Pick<Frame, 'record' | 'outermost'>,
  aliases: ReadonlyMap<string, Expression> = noAliases,
): Frame['variables'] {
  const named = [...aliases].flatMap(([alias, node]): [string, Spoken][] => {
    const name = node.kind === 'name' ? node.name.toLowerCase() : ''
    if (name !== '$this' && name !== '$it') return []
    return [[alias.toLowerCase(), name === '$it' ? outermost : record]]
  })
  return named.length === 0 ? variables : new Map([...variables, ...named])
}

const noAliases: ReadonlyMap<string, Expression> = new Map()

function fieldMeant(frame: Frame, record: Spoken, names: readonly Name[]): Meaning {
  const field = fieldAt(record.view, names, frame.option)
  if (isOutside(frame, record)) frame.binding.lent.add(field.name)
  return { kind: 'field', field, value: fieldValue(record, field) }
}

/** Whether the record belongs to another part of the statement: `$it` inside `$expand`. */
function isOutside({ record, outermost }: Frame, { joins }: Spoken): boolean {
  return joins === outermost.joins && joins !== record.joins
}

/** The fields of a complex value. Throws `ScopeMissing` for a field that the caller may not read. */
export function partsMeant(
  frame: Frame,
  { of, composite }: Meaning & { readonly kind: 'complex' },
  column: Pick<Name, 'column'>,
): readonly { readonly field: NamedField; readonly value: FieldValue }[] {
  return composite.fields.map((field) => {
    requireRight(of.view, field.right, column, frame.option)
    if (isOutside(frame, of)) frame.binding.lent.add(field.name)
    return { field, value: fieldValue(of, field) }
  })
}
