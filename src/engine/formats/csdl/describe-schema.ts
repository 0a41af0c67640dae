// CSDL model: a schema's metadata as data, from which XML and JSON are serialized (OData CSDL 4.01).
import type { ComplexType, Enumeration, Field, FieldType, Fields, Primitive, Resource } from '../../model/resource.ts'
import { partnerOf, relationsOf, typeNameOf, qualifiedName, type Relation, type Schema } from '../../model/schema.ts'
import {
  containerAnnotations,
  entitySetAnnotations,
  type Annotations,
  type ServiceCapabilities,
} from './capabilities.ts'
import type {
  CsdlEnumType,
  CsdlStructuredType,
  CsdlProperty,
  CsdlSchema,
  CsdlEntitySet,
  CsdlNavigationProperty,
} from './csdl-schema.ts'

/** Names come from the model only; the serializers escape descriptions. */
export function describeSchema(schema: Schema, service: ServiceCapabilities): CsdlSchema {
  const complexTypes = distinctValues(fieldsIn(schema).flatMap(({ within = [] }) => within.map(({ type }) => type)))
  return {
    namespace: schema.namespace,
    version: service.schemaVersion,
    structuredTypes: [
      ...complexTypes.map((type) => describeComplexType(schema, type)),
      ...schema.resources.map((resource) => describeEntityType(schema, resource)),
    ],
    enumTypes: distinctValues(fieldsIn(schema).flatMap(({ type }) => (typeof type === 'string' ? [] : [type]))).map(
      describeEnumType,
    ),
    entitySets: schema.resources.map((resource) => describeEntitySet(schema, resource, service)),
    container: containerAnnotations(service),
  }
}

function describeEntityType(schema: Schema, resource: Resource): CsdlStructuredType {
  return {
    kind: 'EntityType',
    name: typeNameOf(schema, resource).slice(schema.namespace.length + 1),
    key: resource.key.map((name) => wireOf(resource, name)),
    properties: describeProperties(schema, resource.fields),
    relations: relationsOf(schema, resource).map((one) => describeNavigation(schema, one)),
    annotations: descriptionAnnotation(resource.description),
  }
}

function describeComplexType(schema: Schema, { wire, description, fields }: ComplexType): CsdlStructuredType {
  return {
    kind: 'ComplexType',
    name: wire,
    key: [],
    properties: describeProperties(schema, fields),
    relations: [],
    annotations: descriptionAnnotation(description),
  }
}

function describeEnumType({ wire, description, isFlags, members }: Enumeration): CsdlEnumType {
  return { name: wire, isFlags: isFlags === true, members, annotations: descriptionAnnotation(description) }
}

function fieldsIn({ resources }: Schema): Field[] {
  return resources.flatMap(({ fields }) => Object.values(fields))
}

function distinctValues<T>(all: readonly T[]): T[] {
  return [...new Set(all)]
}

/** A complex value is one property, at the position of its first field. */
function describeProperties(schema: Schema, fields: Fields): CsdlProperty[] {
  const groups = Map.groupBy(Object.entries(fields), ([name, { within = [] }]) => within[0]?.wire ?? { name })
  return [...groups.values()].flatMap((those) =>
    those.slice(0, 1).map(([, field]) => {
      const inside = field.within?.[0]
      if (inside === undefined) return describeProperty(schema, field)
      const isNullable = those.every(([, { optional }]) => optional === true)
      const type = qualifiedName(schema, inside.type)
      return { name: inside.wire, type, isNullable, facets: {}, annotations: {} }
    }),
  )
}

function describeProperty(schema: Schema, field: Field): CsdlProperty {
  const { wire, type, description, lengthMax, readOnly, assigned, optional } = field
  const { name, facets } = edmTypeOf(schema, type)
  return {
    name: wire,
    type: name,
    isNullable: optional === true,
    facets: {
      ...facets,
      ...(lengthMax === undefined ? {} : { MaxLength: lengthMax }),
      ...(field.default === undefined ? {} : { DefaultValue: field.default }),
    },
    annotations: {
      ...descriptionAnnotation(description),
      ...(readOnly === true ? { 'Core.Computed': true } : {}),
      ...(assigned === true ? { 'Core.ComputedDefaultValue': true } : {}),
    },
  }
}

type EdmType = Pick<CsdlProperty, 'name' | 'facets'>

function edmTypeOf(schema: Schema, type: FieldType): EdmType {
  return typeof type === 'string' ? edmTypes[type] : { name: qualifiedName(schema, type), facets: {} }
}

const edmTypes: Readonly<Record<Primitive, EdmType>> = {
  integer: { name: 'Edm.Int32', facets: {} },
  decimal: { name: 'Edm.Decimal', facets: { Precision: 15, Scale: 4 } },
  date: { name: 'Edm.Date', facets: {} },
  timestamp: { name: 'Edm.DateTimeOffset', facets: { Precision: 6 } },
  text: { name: 'Edm.String', facets: {} },
  timeOfDay: { name: 'Edm.TimeOfDay', facets: { Precision: 6 } },
  duration: { name: 'Edm.Duration', facets: { Precision: 6 } },
  boolean: { name: 'Edm.Boolean', facets: {} },
}

function describeNavigation(schema: Schema, relation: Relation): CsdlNavigationProperty {
  const { of, to, wire, on, isMany = false } = relation
  return {
    name: wire,
    type: typeNameOf(schema, to),
    isMany,
    partner: partnerOf(schema, relation)?.wire ?? null,
    referentialConstraint: isMany
      ? {}
      : Object.fromEntries(
          Object.entries(on).map(([sourceField, targetField]) => [wireOf(of, sourceField), wireOf(to, targetField)]),
        ),
  }
}

function describeEntitySet(schema: Schema, resource: Resource, service: ServiceCapabilities): CsdlEntitySet {
  const relations = relationsOf(schema, resource)
  return {
    name: resource.wire,
    type: typeNameOf(schema, resource),
    bindings: Object.fromEntries(relations.map(({ wire, to }) => [wire, to.wire])),
    annotations: {
      ...descriptionAnnotation(resource.description),
      ...entitySetAnnotations(resource, relations, service),
    },
  }
}

function descriptionAnnotation(description: string | undefined): Annotations {
  return description === undefined ? {} : { 'Core.Description': description }
}

function wireOf({ table, fields }: Resource, name: string): string {
  const field = fields[name]
  if (field === undefined) throw new Error(`${table} has no field ${name}`)
  return field.wire
}
