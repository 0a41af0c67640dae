// Fields of a resource: lookup tables by name and by path, made once.
import { memoize } from '../../../lib/memoize.ts'
import type { ComplexType, Field, Resource } from '../../model/resource.ts'

export interface NamedField extends Field {
  readonly name: string
}

/** A complex property of a resource. */
export interface NamedComplexProperty {
  /** Its path, as the model declares it. */
  readonly path: readonly string[]
  readonly type: ComplexType
  /** All fields inside it, at any depth. */
  readonly fields: readonly NamedField[]
}

/** Lookup tables, computed once per resource. */
export interface ResourceFields {
  readonly all: readonly NamedField[]
  readonly byName: ReadonlyMap<string, NamedField>
  /** By path in lower case: `name`, or `home/city`. */
  readonly byLowerCase: ReadonlyMap<string, NamedField>
  /** By path in lower case. */
  readonly complexProperties: ReadonlyMap<string, NamedComplexProperty>
  readonly wireNames: readonly string[]
}

export const fieldsOf = memoize(collectFields)

/** The fields with these internal names, in their order. */
export function fieldsNamed(resource: Resource, names: readonly string[]): NamedField[] {
  const { byName } = fieldsOf(resource)
  return names.flatMap((name) => byName.get(name) ?? [])
}

/** The lookup key of the path of a column or field: in lower case. */
export function columnKey(path: readonly string[]): string {
  return path.join('/').toLowerCase()
}

/** The path of a field: the names of the complex properties around it, and its own. */
export function pathOf({ within = [], wire }: Field): readonly string[] {
  return [...within.map((one) => one.wire), wire]
}

function collectFields(resource: Resource): ResourceFields {
  const all = Object.entries(resource.fields).map(([name, field]) => ({ ...field, name }))
  const spellings = all.flatMap((field) =>
    [field.wire, ...(field.aliases ?? [])].map((spelling): [string, NamedField] => [
      columnKey([...pathOf(field).slice(0, -1), spelling]),
      field,
    ]),
  )
  return {
    all,
    byName: new Map(all.map((field) => [field.name, field])),
    byLowerCase: new Map(spellings),
    complexProperties: collectComplexProperties(all),
    wireNames: [...new Set(all.flatMap((field) => pathOf(field).slice(0, 1)))],
  }
}

function collectComplexProperties(all: readonly NamedField[]): ReadonlyMap<string, NamedComplexProperty> {
  const entries = all.flatMap((field) =>
    (field.within ?? []).map((inside, depth) => {
      const path = pathOf(field).slice(0, depth + 1)
      return { key: columnKey(path), path, inside, field }
    }),
  )
  const properties = new Map<string, NamedComplexProperty>()
  for (const { key, path, inside, field } of entries) {
    const { fields = [] } = properties.get(key) ?? {}
    properties.set(key, { path, type: inside.type, fields: [...fields, field] })
  }
  return properties
}
