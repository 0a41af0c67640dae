// What metadata tells of a schema, as data that XML and JSON are both written of (OData CSDL 4.01).
import type { Field, FieldType, Resource } from '#model/resource.ts'
import { partnerOf, relationsOf, typeNameOf, type Relation, type Schema } from '#model/schema.ts'
import { containerTold, setTold, type Annotations, type Service } from '#wire/csdl/capabilities.ts'

export interface Described {
  readonly namespace: string
  readonly version: string
  readonly types: readonly EntityType[]
  readonly sets: readonly EntitySet[]
  readonly container: Annotations
}

export interface EntityType {
  readonly name: string
  readonly key: readonly string[]
  readonly properties: readonly Property[]
  readonly relations: readonly Navigation[]
  readonly told: Annotations
}

export interface Property {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
  /** `MaxLength`, `Precision` and `Scale`. */
  readonly facets: Readonly<Record<string, number>>
  readonly told: Annotations
}

export interface Navigation {
  readonly name: string
  readonly type: string
  readonly isMany: boolean
  readonly partner: string | null
  /** The other type's property by this one's. */
  readonly on: Readonly<Record<string, string>>
}

export interface EntitySet {
  readonly name: string
  readonly type: string
  /** The set that each relation leads to. */
  readonly bindings: Readonly<Record<string, string>>
  readonly told: Annotations
}

/** Names come from the model alone; texts are escaped by who writes them. */
export const describeSchema = (schema: Schema, service: Service): Described => ({
  namespace: schema.namespace,
  version: service.schemaVersion,
  types: schema.resources.map((resource) => entityType(schema, resource)),
  sets: schema.resources.map((resource) => entitySet(schema, resource, service)),
  container: containerTold(service),
})

const entityType = (schema: Schema, resource: Resource): EntityType => ({
  name: typeNameOf(schema, resource).slice(schema.namespace.length + 1),
  key: resource.key.map((name) => wireOf(resource, name)),
  properties: Object.entries(resource.fields).map(([name, field]) =>
    property(field, resource.key.includes(name)),
  ),
  relations: relationsOf(schema, resource).map((one) => navigation(schema, one)),
  told: described(resource.about),
})

/** Keys and stamps are always there; anything else may be null. */
const property = ({ wire, type, lengthMax, readOnly }: Field, isKey: boolean): Property => ({
  name: wire,
  type: edmTypes[type].name,
  isNullable: !isKey && type !== 'stamp',
  facets: {
    ...edmTypes[type].facets,
    ...(lengthMax === undefined ? {} : { MaxLength: lengthMax }),
  },
  told: readOnly === true ? { 'Core.Computed': true } : {},
})

const edmTypes: Readonly<
  Record<FieldType, { readonly name: string; readonly facets: Property['facets'] }>
> = {
  integer: { name: 'Edm.Int32', facets: {} },
  decimal: { name: 'Edm.Decimal', facets: { Precision: 15, Scale: 4 } },
  date: { name: 'Edm.Date', facets: {} },
  stamp: { name: 'Edm.DateTimeOffset', facets: { Precision: 6 } },
  text: { name: 'Edm.String', facets: {} },
  boolean: { name: 'Edm.Boolean', facets: {} },
}

const navigation = (schema: Schema, relation: Relation): Navigation => {
  const { of, to, wire, on, isMany = false } = relation
  return {
    name: wire,
    type: typeNameOf(schema, to),
    isMany,
    partner: partnerOf(schema, relation)?.wire ?? null,
    on: isMany
      ? {}
      : Object.fromEntries(
          Object.entries(on).map(([mine, theirs]) => [wireOf(of, mine), wireOf(to, theirs)]),
        ),
  }
}

const entitySet = (schema: Schema, resource: Resource, service: Service): EntitySet => ({
  name: resource.wire,
  type: typeNameOf(schema, resource),
  bindings: Object.fromEntries(
    relationsOf(schema, resource).map(({ wire, to }) => [wire, to.wire]),
  ),
  told: { ...described(resource.about), ...setTold(resource, service) },
})

const described = (about: string | undefined): Annotations =>
  about === undefined ? {} : { 'Core.Description': about }

const wireOf = ({ table, fields }: Resource, name: string): string => {
  const field = fields[name]
  if (field === undefined) throw new Error(`${table} has no field ${name}`)
  return field.wire
}
