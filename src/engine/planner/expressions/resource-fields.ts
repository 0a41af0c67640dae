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

/** The same for the path of a column or field. */
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
  const composites = [...Map.groupBy(entries, ({ key }) => key)].map(
    ([key, group]): [string, NamedComplexProperty][] => {
      const fields = group.map(({ field }) => field)
      return group.slice(0, 1).map(({ path, inside }) => [key, { path, type: inside.type, fields }])
    },
  )
  return new Map(composites.flat())
}
