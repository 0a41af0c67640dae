// The names that a caller may use for the fields of a resource, and the refusal of any other.
import { Fault } from '../../../errors/catalog.ts'
import { nearest } from '../../../lib/closest-match.ts'
import type { Composite, Field, Resource } from '../../model/resource.ts'
import { relationsOf, type Relation, type Schema } from '../../model/schema.ts'
import { shown, targetAt, unreadable, type Option } from '../../odata/options/option.ts'
import type { Name } from '../../odata/expressions/syntax.ts'
import { phrase } from '../../../errors/messages.ts'

/** A field with its house name. */
export interface NamedField extends Field {
  readonly name: string
}

/** A value with parts, of a record. */
export interface NamedComposite {
  /** The way to it, as the model declares it. */
  readonly path: readonly string[]
  readonly type: Composite
  /** All that is inside of it, however deep. */
  readonly fields: readonly NamedField[]
}

/** A resource as one caller sees it. */
export interface View {
  readonly schema: Schema
  readonly resource: Resource
  readonly rights: ReadonlySet<string>
  /** What else there is a name for. */
  readonly also?: readonly string[]
}

/**
 * The field that names in `option` mean, in any letter case and any of its spellings: its own, and before it one for
 * each value with parts that it is inside of. Throws `UnknownProperty`, and `ScopeMissing` for a field that the caller
 * may not see.
 */
export function fieldAt(view: View, names: readonly Name[], option: Option): NamedField {
  const field = fieldsOf(view.resource).byLowerCase.get(wayOf(names))
  if (field === undefined) throw nothingAt(view, names, option)
  requireRight(view, field.right, names.at(-1) ?? { column: 1 }, option)
  return field
}

/** The value with parts that names mean; undefined where they mean none. */
export function compositeAt(
  { resource }: View,
  names: readonly Name[],
): NamedComposite | undefined {
  return fieldsOf(resource).composites.get(wayOf(names))
}

/** What a way through names is looked up by. */
export function wayOf(names: readonly Pick<Name, 'name'>[]): string {
  return names.map(({ name }) => name.toLowerCase()).join('/')
}

/** The names of the values that a field is inside of, and its own. */
export function pathOf({ within = [], wire }: Field): readonly string[] {
  return [...within.map((one) => one.wire), wire]
}

/** The refusal of a way: at the first of its names that leads nowhere. */
function nothingAt(view: View, names: readonly Name[], option: Option): Fault {
  const { byLowerCase } = fieldsOf(view.resource)
  const [first, ...others] = names
  if (first === undefined) throw new Error('a way without names')
  let inside: NamedComposite | undefined
  let at = first
  for (const [index, next] of others.entries()) {
    const way = names.slice(0, index + 1)
    const field = byLowerCase.get(wayOf(way))
    // A field has nothing inside.
    if (field !== undefined)
      return unreadable(option, at.column, phrase('nothingFollows', { name: field.wire }))
    const composite = compositeAt(view, way)
    if (composite === undefined) break
    inside = composite
    at = next
  }
  if (inside === undefined) return unknownProperty(view, at, option)
  return unknown({ of: inside.type.wire, names: partNames(inside) }, at, option)
}

/** What stands directly inside of a value. */
function partNames({ path, fields }: NamedComposite): string[] {
  return [...new Set(fields.flatMap((field) => pathOf(field)[path.length] ?? []))]
}

/** The relation that a name means, in any letter case; undefined where it means none. */
export function relationNamed({ schema, resource }: View, { name }: Name): Relation | undefined {
  const lower = name.toLowerCase()
  return relationsOf(schema, resource).find(({ wire }) => wire.toLowerCase() === lower)
}

/** The fields of the key that the way to the record does not tell already (OData 4.01 part 2, 4.3.4). */
export function ownKey(resource: Resource, via: Relation | null): NamedField[] {
  const told = via === null ? [] : Object.values(via.on)
  const fields = fieldsOf(resource).all.filter(({ name }) => resource.key.includes(name))
  const own = fields.filter(({ name }) => !told.includes(name))
  return own.length === 0 ? fields : own
}

/** Throws `ScopeMissing` where a right is needed that the caller lacks. */
export function requireRight(
  { rights }: View,
  right: string | undefined,
  { column }: Pick<Name, 'column'>,
  option: Option,
): void {
  if (right !== undefined && !rights.has(right))
    throw new Fault('ScopeMissing', { target: targetAt(option, column), says: { scope: right } })
}

export function unknownProperty(
  { schema, resource, also = [] }: View,
  name: Name,
  option: Option,
): Fault {
  const relations = relationsOf(schema, resource).map(({ wire }) => wire)
  const names = [...fieldsOf(resource).wireNames, ...relations, ...also]
  return unknown({ of: resource.wire, names }, name, option)
}

interface Known {
  readonly of: string
  readonly names: readonly string[]
}

function unknown({ of, names }: Known, { name, column }: Name, option: Option): Fault {
  // A name that is there, but not of the kind that was looked for, suggests nothing.
  const others = names.filter((one) => one.toLowerCase() !== name.toLowerCase())
  const meant = nearest(name, others)
  return new Fault('UnknownProperty', {
    target: targetAt(option, column),
    says: {
      resource: of,
      name: shown(name),
      ...(meant === undefined ? {} : { nearest: meant }),
    },
  })
}

/** What is looked up by every request, made once per resource. */
export interface ResourceFields {
  readonly all: readonly NamedField[]
  /** By their way: `name`, or `home/city`. */
  readonly byLowerCase: ReadonlyMap<string, NamedField>
  /** In the same way. */
  readonly composites: ReadonlyMap<string, NamedComposite>
  readonly wireNames: readonly string[]
}

export function fieldsOf(resource: Resource): ResourceFields {
  let fields = known.get(resource)
  if (fields === undefined) known.set(resource, (fields = collect(resource)))
  return fields
}

const known = new WeakMap<Resource, ResourceFields>()

function collect(resource: Resource): ResourceFields {
  const all = Object.entries(resource.fields).map(([name, field]) => ({ ...field, name }))
  const spellings = all.flatMap((field) =>
    [field.wire, ...(field.alsoReads ?? [])].map((spelling): [string, NamedField] => [
      [...pathOf(field).slice(0, -1), spelling].join('/').toLowerCase(),
      field,
    ]),
  )
  return {
    all,
    byLowerCase: new Map(spellings),
    composites: compositesOf(all),
    wireNames: [...new Set(all.flatMap((field) => pathOf(field).slice(0, 1)))],
  }
}

function compositesOf(all: readonly NamedField[]): ReadonlyMap<string, NamedComposite> {
  const ways = all.flatMap((field) =>
    (field.within ?? []).map((inside, depth) => {
      const path = pathOf(field).slice(0, depth + 1)
      return { way: path.join('/').toLowerCase(), path, inside, field }
    }),
  )
  const composites = [...Map.groupBy(ways, ({ way }) => way)].map(
    ([way, those]): [string, NamedComposite][] => {
      const fields = those.map(({ field }) => field)
      return those.slice(0, 1).map(({ path, inside }) => [way, { path, type: inside.type, fields }])
    },
  )
  return new Map(composites.flat())
}
