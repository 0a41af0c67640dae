// CSDL model: a schema's metadata as data, from which XML and JSON are serialized (OData CSDL 4.01).
import type {
  Composite,
  Enumeration,
  Field,
  FieldType,
  Fields,
  Primitive,
  Resource,
} from '../../model/resource.ts'
import {
  partnerOf,
  relationsOf,
  typeNameOf,
  writtenAs,
  type Relation,
  type Schema,
} from '../../model/schema.ts'
import { containerTold, setTold, type Annotations, type Service } from './capabilities.ts'

export interface Described {
  readonly namespace: string
  readonly version: string
  readonly types: readonly EntityType[]
  readonly composites: readonly ComplexType[]
  readonly enumerations: readonly EnumType[]
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

export interface ComplexType {
  readonly name: string
  readonly properties: readonly Property[]
  readonly told: Annotations
}

export interface EnumType {
  readonly name: string
  readonly isFlags: boolean
  readonly members: Readonly<Record<string, number>>
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
  /** Referential constraint: the other type's property by this type's property. */
  readonly on: Readonly<Record<string, string>>
}

export interface EntitySet {
  readonly name: string
  readonly type: string
  /** Navigation property bindings: the target entity set of each relation. */
  readonly bindings: Readonly<Record<string, string>>
  readonly told: Annotations
}

/** Names come from the model only; the serializers escape descriptions. */
export function describeSchema(schema: Schema, service: Service): Described {
  return {
    namespace: schema.namespace,
    version: service.schemaVersion,
    types: schema.resources.map((resource) => entityType(schema, resource)),
    composites: distinct(
      fieldsIn(schema).flatMap(({ within = [] }) => within.map(({ type }) => type)),
    ).map((type) => complexType(schema, type)),
    enumerations: distinct(
      fieldsIn(schema).flatMap(({ type }) => (typeof type === 'string' ? [] : [type])),
    ).map(enumType),
    sets: schema.resources.map((resource) => entitySet(schema, resource, service)),
    container: containerTold(service),
  }
}

function entityType(schema: Schema, resource: Resource): EntityType {
  return {
    name: typeNameOf(schema, resource).slice(schema.namespace.length + 1),
    key: resource.key.map((name) => wireOf(resource, name)),
    properties: properties(schema, resource.fields, resource.key),
    relations: relationsOf(schema, resource).map((one) => navigation(schema, one)),
    told: described(resource.about),
  }
}

function complexType(schema: Schema, { wire, about, fields }: Composite): ComplexType {
  return {
    name: wire,
    properties: properties(schema, fields, []),
    told: described(about),
  }
}

function enumType({ wire, about, isFlags, members }: Enumeration): EnumType {
  return {
    name: wire,
    isFlags: isFlags === true,
    members,
    told: described(about),
  }
}

function fieldsIn({ resources }: Schema): Field[] {
  return resources.flatMap(({ fields }) => Object.values(fields))
}

function distinct<T>(all: readonly T[]): T[] {
  return [...new Set(all)]
}

/** A complex value is one property, at the position of its first field. */
function properties(schema: Schema, fields: Fields, key: readonly string[]): Property[] {
  const groups = Map.groupBy(
    Object.entries(fields),
    ([name, { within = [] }]) => within[0]?.wire ?? { name },
  )
  return [...groups.values()].flatMap((those) =>
    those.slice(0, 1).map(([name, field]) => {
      const inside = field.within?.[0]
      if (inside === undefined) return property(schema, field, key.includes(name))
      const isNullable = those.every(([, { optional }]) => optional === true)
      const type = writtenAs(schema, inside.type)
      return { name: inside.wire, type, isNullable, facets: {}, told: {} }
    }),
  )
}

/** Keys and timestamps are not nullable, everything else is. */
function property(
  schema: Schema,
  { wire, type, lengthMax, readOnly }: Field,
  isKey: boolean,
): Property {
  const { name, facets } = edmTypeOf(schema, type)
  return {
    name: wire,
    type: name,
    isNullable: !isKey && type !== 'stamp',
    facets: { ...facets, ...(lengthMax === undefined ? {} : { MaxLength: lengthMax }) },
    told: readOnly === true ? { 'Core.Computed': true } : {},
  }
}

type EdmType = Pick<Property, 'name' | 'facets'>

function edmTypeOf(schema: Schema, type: FieldType): EdmType {
  return typeof type === 'string' ? edmTypes[type] : { name: writtenAs(schema, type), facets: {} }
}

const edmTypes: Readonly<Record<Primitive, EdmType>> = {
  integer: { name: 'Edm.Int32', facets: {} },
  decimal: { name: 'Edm.Decimal', facets: { Precision: 15, Scale: 4 } },
  date: { name: 'Edm.Date', facets: {} },
  stamp: { name: 'Edm.DateTimeOffset', facets: { Precision: 6 } },
  text: { name: 'Edm.String', facets: {} },
  timeOfDay: { name: 'Edm.TimeOfDay', facets: { Precision: 6 } },
  duration: { name: 'Edm.Duration', facets: { Precision: 6 } },
  boolean: { name: 'Edm.Boolean', facets: {} },
}

function navigation(schema: Schema, relation: Relation): Navigation {
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

function entitySet(schema: Schema, resource: Resource, service: Service): EntitySet {
  return {
    name: resource.wire,
    type: typeNameOf(schema, resource),
    bindings: Object.fromEntries(
      relationsOf(schema, resource).map(({ wire, to }) => [wire, to.wire]),
    ),
    told: { ...described(resource.about), ...setTold(resource, service) },
  }
}

function described(about: string | undefined): Annotations {
  return about === undefined ? {} : { 'Core.Description': about }
}

function wireOf({ table, fields }: Resource, name: string): string {
  const field = fields[name]
  if (field === undefined) throw new Error(`${table} has no field ${name}`)
  return field.wire
}
