// The names that a caller may use for the fields of a resource, and the refusal of any other.
import { Fault } from '#faults.ts'
import { nearest } from '#lib/nearest.ts'
import type { Field, Resource } from '#model/resource.ts'
import { shown, targetAt, type Option } from '#odata/option.ts'
import type { Name } from '#odata/syntax.ts'

/** A field with its house name. */
export interface NamedField extends Field {
  readonly name: string
}

/** The field that a name in `option` means, in any letter case and any of its spellings; else UnknownProperty. */
export const fieldNamed = (
  resource: Resource,
  { name, column }: Name,
  option: Option,
): NamedField => {
  const fields = fieldsOf(resource)
  const field = fields.byLowerCase.get(name.toLowerCase())
  if (field !== undefined) return field
  const meant = nearest(name, fields.wireNames)
  throw new Fault('UnknownProperty', {
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
