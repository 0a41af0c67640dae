// The names that a caller may use for the fields of a resource, and the refusal of any other.
import { Fault } from '#faults.ts'
import { nearest } from '#lib/nearest.ts'
import type { Field, Resource } from '#model/resource.ts'
import { relationsOf, type Relation, type Schema } from '#model/schema.ts'
import { shown, targetAt, type Option } from '#odata/option.ts'
import type { Name } from '#odata/syntax.ts'

/** A field with its house name. */
export interface NamedField extends Field {
  readonly name: string
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
 * The field that a name in `option` means, in any letter case and any of its spellings. Throws
 * `UnknownProperty`, and `ScopeMissing` for a field that the caller may not see.
 */
export const fieldNamed = (view: View, name: Name, option: Option): NamedField => {
  const field = fieldsOf(view.resource).byLowerCase.get(name.name.toLowerCase())
  if (field === undefined) throw unknownProperty(view, name, option)
  requireRight(view, field.right, name, option)
  return field
}

/** The relation that a name means, in any letter case; undefined where it means none. */
export const relationNamed = ({ schema, resource }: View, { name }: Name): Relation | undefined => {
  const lower = name.toLowerCase()
  return relationsOf(schema, resource).find(({ wire }) => wire.toLowerCase() === lower)
}

/** Throws `ScopeMissing` where a right is needed that the caller lacks. */
export const requireRight = (
  { rights }: View,
  right: string | undefined,
  { column }: Name,
  option: Option,
): void => {
  if (right !== undefined && !rights.has(right))
    throw new Fault('ScopeMissing', { target: targetAt(option, column), says: { scope: right } })
}

export const unknownProperty = (
  { schema, resource, also = [] }: View,
  { name, column }: Name,
  option: Option,
): Fault => {
  const relations = relationsOf(schema, resource).map(({ wire }) => wire)
  // A name that is there, but not of the kind that was looked for, suggests nothing.
  const names = [...fieldsOf(resource).wireNames, ...relations, ...also].filter(
    (one) => one.toLowerCase() !== name.toLowerCase(),
  )
  const meant = nearest(name, names)
  return new Fault('UnknownProperty', {
    target: targetAt(option, column),
    says: {
      resource: resource.wire,
      name: shown(name),
      ...(meant === undefined ? {} : { nearest: meant }),
    },
  })
}

/** What is looked up by every request, made once per resource. */
export interface ResourceFields {
  readonly all: readonly NamedField[]
  readonly byLowerCase: ReadonlyMap<string, NamedField>
  readonly wireNames: readonly string[]
}

export const fieldsOf = (resource: Resource): ResourceFields => {
  let fields = known.get(resource)
  if (fields === undefined) known.set(resource, (fields = collect(resource)))
  return fields
}

const known = new WeakMap<Resource, ResourceFields>()

const collect = (resource: Resource): ResourceFields => {
  const all = Object.entries(resource.fields).map(([name, field]) => ({ ...field, name }))
  const spellings = all.flatMap((field) =>
    [field.wire, ...(field.alsoReads ?? [])].map((spelling): [string, NamedField] => [
      spelling.toLowerCase(),
      field,
    ]),
  )
  return {
    all,
    byLowerCase: new Map(spellings),
    wireNames: all.map(({ wire }) => wire),
  }
}
