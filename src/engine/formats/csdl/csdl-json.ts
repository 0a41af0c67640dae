// CSDL JSON serializer (OData CSDL JSON 4.01).
import { vocabularies, vocabularyUrl, type Annotations } from './capabilities.ts'
import type {
  CsdlSchema,
  CsdlEntitySet,
  CsdlEnumType,
  CsdlNavigationProperty,
  CsdlProperty,
  CsdlStructuredType,
} from './csdl-schema.ts'
import type { ODataVersion } from '../../planner/record-format.ts'

/** Members that are undefined are left out. */
export function csdlJson(described: CsdlSchema, odataVersion: ODataVersion): string {
  const { namespace, structuredTypes, enumTypes, entitySets, container, version } = described
  return JSON.stringify({
    $Version: odataVersion,
    $EntityContainer: `${namespace}.Container`,
    $Reference: references,
    [namespace]: {
      ...annotationMembers({ 'Core.SchemaVersion': version }),
      ...Object.fromEntries(enumTypes.map((type) => [type.name, enumType(type)])),
      ...Object.fromEntries(structuredTypes.map((type) => [type.name, structuredType(type)])),
      Container: {
        $Kind: 'EntityContainer',
        ...Object.fromEntries(entitySets.map((set) => [set.name, entitySet(set)])),
        ...annotationMembers(container),
      },
    },
  })
}

const references = Object.fromEntries(
  Object.entries(vocabularies).map(([alias, namespace]) => [
    vocabularyUrl(namespace, 'json'),
    { $Include: [{ $Namespace: namespace, $Alias: alias }] },
  ]),
)

function enumType({ isFlags, members, annotations }: CsdlEnumType) {
  return { $Kind: 'EnumType', $IsFlags: isFlags || undefined, ...members, ...annotationMembers(annotations) }
}

function structuredType({ kind, key, properties, relations, annotations }: CsdlStructuredType) {
  return {
    $Kind: kind,
    $Key: key.length === 0 ? undefined : key,
    ...Object.fromEntries(properties.map((one) => [one.name, property(one)])),
    ...Object.fromEntries(relations.map((one) => [one.name, navigation(one)])),
    ...annotationMembers(annotations),
  }
}

/** Unlike in XML, `Edm.String` is the default type, and nullable properties are marked. */
function property({ type, isNullable, facets, annotations }: CsdlProperty) {
  return {
    $Type: type === 'Edm.String' ? undefined : type,
    $Nullable: isNullable || undefined,
    ...Object.fromEntries(Object.entries(facets).map(([name, value]) => [`$${name}`, value])),
    ...annotationMembers(annotations),
  }
}

function navigation({ type, isMany, partner, referentialConstraint }: CsdlNavigationProperty) {
  return {
    $Kind: 'NavigationProperty',
    $Collection: isMany || undefined,
    $Type: type,
    $Nullable: !isMany || undefined,
    $Partner: partner ?? undefined,
    $ReferentialConstraint: unlessEmpty(referentialConstraint),
  }
}

function entitySet({ type, bindings, annotations }: CsdlEntitySet) {
  return {
    $Collection: true,
    $Type: type,
    $NavigationPropertyBinding: unlessEmpty(bindings),
    ...annotationMembers(annotations),
  }
}

function unlessEmpty(members: Readonly<Record<string, string>>) {
  return Object.keys(members).length === 0 ? undefined : members
}

function annotationMembers(all: Annotations) {
  return Object.fromEntries(Object.entries(all).map(([term, value]) => [`@${term}`, value]))
}
