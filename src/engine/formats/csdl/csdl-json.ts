// CSDL JSON serializer (OData CSDL JSON 4.01).
import {
  EnumMember,
  vocabularies,
  vocabularyAddress,
  type Annotations,
  type AnnotationValue,
} from './capabilities.ts'
import type {
  ComplexType,
  Described,
  EntitySet,
  EntityType,
  EnumType,
  Navigation,
  Property,
} from './describe-schema.ts'

export function csdlJson(described: Described, odataVersion: '4.0' | '4.01'): string {
  const { namespace, types, composites, enumerations, sets, container, version } = described
  return JSON.stringify({
    $Version: odataVersion,
    $EntityContainer: `${namespace}.Container`,
    $Reference: references,
    [namespace]: {
      ...annotations({ 'Core.SchemaVersion': version }),
      ...Object.fromEntries(enumerations.map((type) => [type.name, enumType(type)])),
      ...Object.fromEntries(composites.map((type) => [type.name, complexType(type)])),
      ...Object.fromEntries(types.map((type) => [type.name, entityType(type)])),
      Container: {
        $Kind: 'EntityContainer',
        ...Object.fromEntries(sets.map((set) => [set.name, entitySet(set)])),
        ...annotations(container),
      },
    },
  })
}

const references = Object.fromEntries(
  Object.entries(vocabularies).map(([alias, namespace]) => [
    vocabularyAddress(namespace, 'json'),
    { $Include: [{ $Namespace: namespace, $Alias: alias }] },
  ]),
)

function enumType({ isFlags, members, told }: EnumType) {
  return {
    $Kind: 'EnumType',
    ...(isFlags ? { $IsFlags: true } : {}),
    ...members,
    ...annotations(told),
  }
}

function complexType({ properties, told }: ComplexType) {
  return {
    $Kind: 'ComplexType',
    ...Object.fromEntries(properties.map((one) => [one.name, property(one)])),
    ...annotations(told),
  }
}

function entityType({ key, properties, relations, told }: EntityType) {
  return {
    $Kind: 'EntityType',
    $Key: key,
    ...Object.fromEntries(properties.map((one) => [one.name, property(one)])),
    ...Object.fromEntries(relations.map((one) => [one.name, navigation(one)])),
    ...annotations(told),
  }
}

/** Unlike in XML, `Edm.String` is the default type, and nullable properties are marked. */
function property({ type, isNullable, facets, told }: Property) {
  return {
    ...(type === 'Edm.String' ? {} : { $Type: type }),
    ...(isNullable ? { $Nullable: true } : {}),
    ...Object.fromEntries(Object.entries(facets).map(([name, value]) => [`$${name}`, value])),
    ...annotations(told),
  }
}

function navigation({ type, isMany, partner, on }: Navigation) {
  return {
    $Kind: 'NavigationProperty',
    ...(isMany ? { $Collection: true } : {}),
    $Type: type,
    ...(isMany ? {} : { $Nullable: true }),
    ...(partner === null ? {} : { $Partner: partner }),
    ...(Object.keys(on).length === 0 ? {} : { $ReferentialConstraint: on }),
  }
}

function entitySet({ type, bindings, told }: EntitySet) {
  return {
    $Collection: true,
    $Type: type,
    ...(Object.keys(bindings).length === 0 ? {} : { $NavigationPropertyBinding: bindings }),
    ...annotations(told),
  }
}

function annotations(all: Annotations) {
  return Object.fromEntries(
    Object.entries(all).map(([term, value]) => [`@${term}`, written(value)]),
  )
}

function written(value: AnnotationValue): AnnotationValue {
  return value instanceof EnumMember ? value.name : value
}
