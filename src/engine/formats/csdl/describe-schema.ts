// CSDL JSON of a schema (OData CSDL JSON 4.01), from which XML is serialized too.
import type { ComplexType, Enumeration, Field, Fields, Primitive, Resource } from '../../model/resource.ts'
import { partnerOf, qualifiedName, relationsOf, typeNameOf, type Relation, type Schema } from '../../model/schema.ts'
import {
  containerAnnotations,
  entitySetAnnotations,
  type CsdlElement,
  type ServiceCapabilities,
} from './capabilities.ts'

/** The members of the schema, in the order of the document. Names come from the model only; XML escapes descriptions. */
export function describeSchema(schema: Schema, service: ServiceCapabilities): CsdlElement {
  const { namespace, resources } = schema
  const all = resources.flatMap(({ fields }) => Object.values<Field>(fields))
  const enumerations = new Set(all.flatMap(({ type }) => (typeof type === 'string' ? [] : [type])))
  const complexTypes = new Set(all.flatMap(({ within = [] }) => within.map(({ type }) => type)))
  return {
    '@Core.SchemaVersion': service.schemaVersion,
    ...byWire([...enumerations], describeEnumeration),
    ...byWire([...complexTypes], (type) => describeComplexType(schema, type)),
    ...Object.fromEntries(
      resources.map((resource) => [
        typeNameOf(schema, resource).slice(namespace.length + 1),
        describeEntityType(schema, resource),
      ]),
    ),
    Container: {
      $Kind: 'EntityContainer',
      ...byWire(resources, (resource) => describeEntitySet(schema, resource, service)),
      ...containerAnnotations(service),
    },
  }
}

function byWire<T extends { wire: string }>(all: readonly T[], describe: (one: T) => CsdlElement): CsdlElement {
  return Object.fromEntries(all.map((one) => [one.wire, describe(one)]))
}

function describeEnumeration({ description, isFlags, members }: Enumeration): CsdlElement {
  return { $Kind: 'EnumType', $IsFlags: isFlags, ...members, '@Core.Description': description }
}

function describeComplexType(schema: Schema, { description, fields }: ComplexType): CsdlElement {
  return { $Kind: 'ComplexType', ...describeProperties(schema, fields), '@Core.Description': description }
}

function describeEntityType(schema: Schema, resource: Resource): CsdlElement {
  return {
    $Kind: 'EntityType',
    $Key: resource.key.map((name) => wireOf(resource, name)),
    ...describeProperties(schema, resource.fields),
    ...byWire(relationsOf(schema, resource), (one) => describeNavigation(schema, one)),
    '@Core.Description': resource.description,
  }
}

/** A complex value is one property, at the position of its first field. */
function describeProperties(schema: Schema, fields: Fields): CsdlElement {
  const groups = Map.groupBy(Object.values(fields), ({ within, wire }) => within?.[0]?.wire ?? wire)
  return Object.fromEntries(
    [...groups].flatMap(([name, group]) =>
      group.slice(0, 1).map((field) => [name, describeProperty(schema, field, group)]),
    ),
  )
}

/** Unlike in XML, `Edm.String` is the default type, and nullable properties are marked. */
function describeProperty(schema: Schema, field: Field, group: readonly Field[]): CsdlElement {
  const isNullable = group.every(({ optional }) => optional === true) || undefined
  const inside = field.within?.[0]
  if (inside !== undefined) return { $Type: qualifiedName(schema, inside.type), $Nullable: isNullable }
  const { $Type, ...facets } =
    typeof field.type === 'string' ? edmTypes[field.type] : { $Type: qualifiedName(schema, field.type) }
  return {
    $Type,
    $Nullable: isNullable,
    ...facets,
    $MaxLength: field.lengthMax,
    $DefaultValue: field.default,
    '@Core.Description': field.description,
    '@Core.Computed': field.readOnly,
    '@Core.ComputedDefaultValue': field.assigned,
  }
}

const edmTypes: Readonly<Record<Primitive, CsdlElement>> = {
  integer: { $Type: 'Edm.Int32' },
  decimal: { $Type: 'Edm.Decimal', $Precision: 15, $Scale: 4 },
  date: { $Type: 'Edm.Date' },
  timestamp: { $Type: 'Edm.DateTimeOffset', $Precision: 6 },
  text: {},
  timeOfDay: { $Type: 'Edm.TimeOfDay', $Precision: 6 },
  duration: { $Type: 'Edm.Duration', $Precision: 6 },
  boolean: { $Type: 'Edm.Boolean' },
}

function describeNavigation(schema: Schema, relation: Relation): CsdlElement {
  const { of, to, on, isMany } = relation
  const constraint = Object.entries(on).map(([from, target]) => [wireOf(of, from), wireOf(to, target)])
  return {
    $Kind: 'NavigationProperty',
    $Collection: isMany,
    $Type: typeNameOf(schema, to),
    $Nullable: isMany === true ? undefined : true,
    $Partner: partnerOf(schema, relation)?.wire,
    $ReferentialConstraint: isMany === true ? undefined : Object.fromEntries(constraint),
  }
}

function describeEntitySet(schema: Schema, resource: Resource, service: ServiceCapabilities): CsdlElement {
  const relations = relationsOf(schema, resource)
  const bindings = Object.fromEntries(relations.map(({ wire, to }) => [wire, to.wire]))
  return {
    $Collection: true,
    $Type: typeNameOf(schema, resource),
    $NavigationPropertyBinding: relations.length === 0 ? undefined : bindings,
    '@Core.Description': resource.description,
    ...entitySetAnnotations(resource, relations, service),
  }
}

function wireOf({ table, fields }: Resource, name: string): string {
  const field = fields[name]
  if (field === undefined) throw new Error(`${table} has no field ${name}`)
  return field.wire
}
