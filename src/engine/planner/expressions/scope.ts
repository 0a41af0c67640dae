// What the names of an expression mean: fields of the record that it is asked of, and of records that this leads to.
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

/** A record that an expression may speak of. */
export interface Spoken {
  readonly view: View
  readonly number: number
  /** The single records that are reached from it, those of them that were needed so far. */
  readonly joins: Join[]
  /** It may be missing. */
  readonly isJoined: boolean
}

export interface Frame {
  readonly binding: Binding
  readonly option: Option
  /** Whose fields stand without a prefix. */
  readonly record: Spoken
  /** `$it`: the record of the set that the address names (OData 4.01 part 2, 5.1.1.14.4). */
  readonly outermost: Spoken
  /** The variables of the lambdas around, in lower case. */
  readonly variables: ReadonlyMap<string, Spoken>
  /** What `$compute` and `$apply` name, in lower case; names inside of objects with slashes between. */
  readonly computed: ReadonlyMap<string, NamedValue>
  /** What expressions ask of all rows of a transformation, where that is known. */
  readonly these: ReadonlyMap<Expression, Value>
  /** How many collections it stands inside of. */
  readonly collections: number
  /** The records around a collection of `$root`, which nothing inside of it may speak of. */
  readonly apart: ReadonlySet<Spoken>
}

/** What `$compute` gave a name. */
export interface NamedValue {
  readonly name: string
  readonly value: Value
  /** As the answer names it, where not by its name. */
  readonly as?: string
  /** The names of the objects that it stands inside of. */
  readonly within?: readonly string[]
}

/** The frame of the expressions about a set. */
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

/** What one name, or several with slashes between them, stand for. */
export type Meaning =
  | { readonly kind: 'field'; readonly field: NamedField; readonly value: FieldValue }
  | { readonly kind: 'computed'; readonly value: Value }
  /** A value with parts, and the record that has it. */
  | { readonly kind: 'composite'; readonly of: Spoken; readonly composite: NamedComposite }
  | { readonly kind: 'relation'; readonly from: Spoken; readonly relation: Relation }
  /** A record itself: `$it`, or a variable. */
  | { readonly kind: 'record' }

/** Throws `UnknownProperty`, `ScopeMissing`, and what is refused about the way there. */
export function meaningOf(frame: Frame, names: readonly Name[]): Meaning {
  const [first, ...others] = names
  if (first === undefined) throw new Error('a way without names')
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

/** Through relations to the record that has it. */
function meaningAt(frame: Frame, record: Spoken, names: readonly Name[]): Meaning {
  const [first, ...others] = names
  if (first === undefined) throw new Error('a way without names')
  if (first.name === '$root') return leading(frame, record, rootRelation(frame, record, names))
  const { byLowerCase } = fieldsOf(record.view.resource)
  const composite = compositeAt(record.view, names)
  if (composite !== undefined) return { kind: 'composite', of: record, composite }
  const isField = byLowerCase.has(wayOf(names)) || byLowerCase.has(first.name.toLowerCase())
  const relation = isField ? undefined : relationNamed(record.view, first)
  if (relation === undefined) return fieldMeant(frame, record, names)
  return leading(frame, record, { relation, name: first, others })
}

interface Step {
  readonly relation: Relation
  readonly name: Name
  /** What follows it. */
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
  // What is handed out is noted when it is read (ADR 0040).
  if (to.isUnmarked) throw notSupported('offeredInside', option, name)
  return { relation: { of, wire: `$root/${to.wire}`, to, isMany: true, on: {} }, name, others }
}

/** The single record that a relation leads to; two ways through the same relations reach the same. */
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

/** One of many that a relation leads to, by its key. */
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
 * What is said of each record that a relation to many leads to. The work is what the collections inside of each other
 * come to, multiplied; all of a set is gone through once, and not for each record of another.
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

/** With the aliases that stand for a record: `@m=$this` in the brackets of a set. */
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

/** Whether the record stands in another part of the statement: `$it` inside of `$expand`. */
function isOutside({ record, outermost }: Frame, { joins }: Spoken): boolean {
  return joins === outermost.joins && joins !== record.joins
}

/** The fields inside of a value with parts. Throws `ScopeMissing` for one that the caller may not see. */
export function partsMeant(
  frame: Frame,
  { of, composite }: Meaning & { readonly kind: 'composite' },
  column: Pick<Name, 'column'>,
): readonly { readonly field: NamedField; readonly value: FieldValue }[] {
  return composite.fields.map((field) => {
    requireRight(of.view, field.right, column, frame.option)
    if (isOutside(frame, of)) frame.binding.lent.add(field.name)
    return { field, value: fieldValue(of, field) }
  })
}
