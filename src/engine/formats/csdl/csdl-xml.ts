// CSDL XML serializer (OData CSDL XML 4.01), for Excel, Power BI and generated clients.
import {
  EnumMember,
  PropertyPaths,
  vocabularies,
  vocabularyUrl,
  type Annotations,
  type AnnotationValue,
} from './capabilities.ts'
import type {
  CsdlComplexType,
  CsdlSchema,
  CsdlEntitySet,
  CsdlEntityType,
  CsdlEnumType,
  CsdlNavigationProperty,
  CsdlProperty,
} from './describe-schema.ts'
import type { ODataVersion } from '../../planner/record-format.ts'
import { escapeAttribute, xmlDeclaration } from '../xml/xml-text.ts'

export function csdlXml(described: CsdlSchema, odataVersion: ODataVersion): string {
  const { namespace, entityTypes, complexTypes, enumTypes, entitySets, container, version } =
    described
  const all = [
    ...enumTypes.map(enumType),
    ...complexTypes.map(complexType),
    ...entityTypes.map(entityType),
  ]
  const edm = 'http://docs.oasis-open.org/odata/ns/edm'
  return (
    `${xmlDeclaration}<edmx:Edmx Version="${odataVersion}" xmlns:edmx="${edm}x">${references}<edmx:DataServices>` +
    `<Schema Namespace="${namespace}" xmlns="${edm}">${annotationElements({ 'Core.SchemaVersion': version })}` +
    `${all.join('')}<EntityContainer Name="Container">${entitySets.map(entitySet).join('')}` +
    `${annotationElements(container)}</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`
  )
}

const references = Object.entries(vocabularies)
  .map(
    ([alias, namespace]) =>
      `<edmx:Reference Uri="${vocabularyUrl(namespace, 'xml')}"><edmx:Include Namespace="${namespace}" Alias="${alias}"/></edmx:Reference>`,
  )
  .join('')

function enumType({ name, isFlags, members, annotations }: CsdlEnumType): string {
  const flags = isFlags ? ' IsFlags="true"' : ''
  const named = Object.entries(members).map(
    ([member, value]) => `<Member Name="${member}" Value="${value}"/>`,
  )
  return `<EnumType Name="${name}"${flags}>${named.join('')}${annotationElements(annotations)}</EnumType>`
}

function complexType({ name, properties, annotations }: CsdlComplexType): string {
  return `<ComplexType Name="${name}">${properties.map(property).join('')}${annotationElements(annotations)}</ComplexType>`
}

function entityType({ name, key, properties, relations, annotations }: CsdlEntityType): string {
  const keys = key.map((one) => `<PropertyRef Name="${one}"/>`).join('')
  const inside = [...properties.map(property), ...relations.map(navigation)].join('')
  return `<EntityType Name="${name}"><Key>${keys}</Key>${inside}${annotationElements(annotations)}</EntityType>`
}

function property({ name, type, isNullable, facets, annotations }: CsdlProperty): string {
  const lengths = Object.entries(facets).map(
    ([facet, value]) => ` ${facet}="${escapeAttribute(String(value))}"`,
  )
  const nullable = isNullable ? '' : ' Nullable="false"'
  return serializeElement(
    'Property',
    `Name="${name}" Type="${type}"${lengths.join('')}${nullable}`,
    annotationElements(annotations),
  )
}

function navigation({
  name,
  type,
  isMany,
  partner,
  referentialConstraint,
}: CsdlNavigationProperty): string {
  const whole = isMany ? `Collection(${type})` : type
  const other = partner === null ? '' : ` Partner="${partner}"`
  const constraints = Object.entries(referentialConstraint).map(
    ([sourceField, targetField]) =>
      `<ReferentialConstraint Property="${sourceField}" ReferencedProperty="${targetField}"/>`,
  )
  const attributes = `Name="${name}" Type="${whole}"${other}`
  return serializeElement('NavigationProperty', attributes, constraints.join(''))
}

function entitySet({ name, type, bindings, annotations }: CsdlEntitySet): string {
  const bound = Object.entries(bindings).map(
    ([path, target]) => `<NavigationPropertyBinding Path="${path}" Target="${target}"/>`,
  )
  return `<EntitySet Name="${name}" EntityType="${type}">${bound.join('')}${annotationElements(annotations)}</EntitySet>`
}

function annotationElements(all: Annotations): string {
  return Object.entries(all)
    .map(([term, value]) => serializeValue('Annotation', `Term="${term}"`, value))
    .join('')
}

/** A string, number or boolean is an attribute, any other value a nested element. */
function serializeValue(name: string, attributes: string, value: AnnotationValue): string {
  if (typeof value === 'object' && !(value instanceof EnumMember))
    return serializeElement(name, attributes, serializeComposite(value))
  return serializeElement(name, `${attributes} ${attributeOf(value)}`, '')
}

function attributeOf(value: boolean | number | string | EnumMember): string {
  if (value instanceof EnumMember) {
    const members = value.name.split(',').map((name) => `${value.type}/${name}`)
    return `EnumMember="${members.join(' ')}"`
  }
  if (typeof value === 'boolean') return `Bool="${value}"`
  return typeof value === 'number' ? `Int="${value}"` : `String="${escapeAttribute(value)}"`
}

function serializeComposite(
  value: Exclude<AnnotationValue, boolean | number | string | EnumMember>,
) {
  if (value instanceof PropertyPaths)
    return `<Collection>${value.paths.map((path) => `<PropertyPath>${path}</PropertyPath>`).join('')}</Collection>`
  if (Array.isArray(value)) return `<Collection>${value.map(serializeItem).join('')}</Collection>`
  const properties = Object.entries(value).map(([name, one]) =>
    serializeValue('PropertyValue', `Property="${name}"`, one),
  )
  return `<Record>${properties.join('')}</Record>`
}

function serializeItem(text: string): string {
  return `<String>${escapeAttribute(text)}</String>`
}

function serializeElement(name: string, attributes: string, inside: string): string {
  return inside === '' ? `<${name} ${attributes}/>` : `<${name} ${attributes}>${inside}</${name}>`
}
