// Name lookup: the fields, complex properties and relations of a resource that a caller may use.
import { Fault } from '../../../errors/catalog.ts'
import { nearest } from '../../../lib/closest-match.ts'
import type { Composite, Field, Resource } from '../../model/resource.ts'
import { relationsOf, type Relation, type Schema } from '../../model/schema.ts'
import { shown, targetAt, unreadable, type Option } from '../../odata/options/option.ts'
import type { Name } from '../../odata/expressions/syntax.ts'
import { phrase } from '../../../errors/messages.ts'

/** A field with its internal name. */
export interface NamedField extends Field {
  readonly name: string
}

/** A complex property of a resource. */
export interface NamedComposite {
  /** Its path, as the model declares it. */
  readonly path: readonly string[]
  readonly type: Composite
  /** All fields inside it, at any depth. */
  readonly fields: readonly NamedField[]
}

/** A resource with the caller's permissions. */
export interface View {
  readonly schema: Schema
  readonly resource: Resource
  readonly rights: ReadonlySet<string>
  /** More names to suggest in errors. */
  readonly also?: readonly string[]
}

/**
 * Finds a field by its path, case-insensitively and by any of its spellings. Throws `UnknownProperty`, and
 * `ScopeMissing` for a field that the caller may not read.
 */
export function fieldAt(view: View, names: readonly Name[], option: Option): NamedField {
  const field = fieldsOf(view.resource).byLowerCase.get(wayOf(names))
  if (field === undefined) throw nothingAt(view, names, option)
  requireRight(view, field.right, names.at(-1) ?? { column: 1 }, option)
  return field
}

/** The complex property at a path; undefined where there is none. */
export function compositeAt(
  { resource }: View,
  names: readonly Name[],
): NamedComposite | undefined {
  return fieldsOf(resource).composites.get(wayOf(names))
}

/** The lookup key of a path. */
export function wayOf(names: readonly Pick<Name, 'name'>[]): string {
  return names.map(({ name }) => name.toLowerCase()).join('/')
}

/** The path of a field: the names of the complex properties around it, and its own. */
export function pathOf({ within = [], wire }: Field): readonly string[] {
  return [...within.map((one) => one.wire), wire]
}

/** The error for an unknown path, at the first name that does not exist. */
function nothingAt(view: View, names: readonly Name[], option: Option): Fault {
  const { byLowerCase } = fieldsOf(view.resource)
  const [first, ...others] = names
  if (first === undefined) throw new Error('an empty path')
  let inside: NamedComposite | undefined
  let at = first
  for (const [index, next] of others.entries()) {
    const way = names.slice(0, index + 1)
    const field = byLowerCase.get(wayOf(way))
    // A primitive field has no properties.
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

/** The names of its direct properties. */
function partNames({ path, fields }: NamedComposite): string[] {
  return [...new Set(fields.flatMap((field) => pathOf(field)[path.length] ?? []))]
}

/** The relation with a name, case-insensitively; undefined where there is none. */
export function relationNamed({ schema, resource }: View, { name }: Name): Relation | undefined {
  const lower = name.toLowerCase()
  return relationsOf(schema, resource).find(({ wire }) => wire.toLowerCase() === lower)
}

/** The key fields that the parent relation does not imply (OData 4.01 part 2, 4.3.4). */
export function ownKey(resource: Resource, via: Relation | null): NamedField[] {
  const told = via === null ? [] : Object.values(via.on)
  const fields = fieldsOf(resource).all.filter(({ name }) => resource.key.includes(name))
  const own = fields.filter(({ name }) => !told.includes(name))
  return own.length === 0 ? fields : own
}

/** Throws `ScopeMissing` where the caller lacks a required permission. */
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
  // A name that exists, but is of another kind, is not a suggestion for itself.
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

/** Lookup tables, computed once per resource. */
export interface ResourceFields {
  readonly all: readonly NamedField[]
  /** By path in lower case: `name`, or `home/city`. */
  readonly byLowerCase: ReadonlyMap<string, NamedField>
  /** By path in lower case. */
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
