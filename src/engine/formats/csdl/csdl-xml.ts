// CSDL XML serializer (OData CSDL XML 4.01), for Excel, Power BI and generated clients.
import { TypedText, vocabularies, vocabularyUrl, type Annotations, type AnnotationValue } from './capabilities.ts'
import type {
  CsdlSchema,
  CsdlEntitySet,
  CsdlEnumType,
  CsdlNavigationProperty,
  CsdlProperty,
  CsdlStructuredType,
} from './csdl-schema.ts'
import type { ODataVersion } from '../../planner/record-format.ts'
import { escapeAttribute, xmlDeclaration } from '../xml/xml-text.ts'

export function csdlXml(described: CsdlSchema, odataVersion: ODataVersion): string {
  const { namespace, structuredTypes, enumTypes, entitySets, container, version } = described
  const all = [...enumTypes.map(enumType), ...structuredTypes.map(structuredType)]
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
  const named = Object.entries(members).map(([member, value]) => `<Member Name="${member}" Value="${value}"/>`)
  return `<EnumType Name="${name}"${flags}>${named.join('')}${annotationElements(annotations)}</EnumType>`
}

function structuredType({ kind, name, key, ...members }: CsdlStructuredType): string {
  const keys = key.map((one) => `<PropertyRef Name="${one}"/>`).join('')
  const inside = [
    keys === '' ? '' : `<Key>${keys}</Key>`,
    ...members.properties.map(property),
    ...members.relations.map(navigation),
    annotationElements(members.annotations),
  ]
  return `<${kind} Name="${name}">${inside.join('')}</${kind}>`
}

function property({ name, type, isNullable, facets, annotations }: CsdlProperty): string {
  const lengths = Object.entries(facets).map(([facet, value]) => ` ${facet}="${escapeAttribute(String(value))}"`)
  const nullable = isNullable ? '' : ' Nullable="false"'
  return serializeElement(
    'Property',
    `Name="${name}" Type="${type}"${lengths.join('')}${nullable}`,
    annotationElements(annotations),
  )
}

function navigation({ name, type, isMany, partner, referentialConstraint }: CsdlNavigationProperty): string {
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

type SimpleValue = boolean | number | string | TypedText

/** A collection or record is a nested element, any other value an attribute. */
function serializeValue(name: string, attributes: string, value: AnnotationValue): string {
  if (isSimple(value)) return serializeElement(name, `${attributes} ${attributeOf(value)}`, '')
  return serializeElement(name, attributes, serializeComposite(value))
}

function isSimple(value: AnnotationValue): value is SimpleValue {
  return typeof value !== 'object' || value instanceof TypedText
}

function attributeOf(value: SimpleValue): string {
  if (value instanceof TypedText) return `${value.kind}="${value.xml}"`
  if (typeof value === 'boolean') return `Bool="${value}"`
  return typeof value === 'number' ? `Int="${value}"` : `String="${escapeAttribute(value)}"`
}

function serializeComposite(value: Exclude<AnnotationValue, SimpleValue>): string {
  if (isCollection(value)) return `<Collection>${value.map(serializeItem).join('')}</Collection>`
  const properties = Object.entries(value).map(([name, one]) =>
    serializeValue('PropertyValue', `Property="${name}"`, one),
  )
  return `<Record>${properties.join('')}</Record>`
}

/** Needed because `Array.isArray` does not narrow a readonly array. */
function isCollection(value: AnnotationValue): value is readonly AnnotationValue[] {
  return Array.isArray(value)
}

function serializeItem(item: AnnotationValue): string {
  if (item instanceof TypedText) return `<${item.kind}>${item.xml}</${item.kind}>`
  return isSimple(item) ? `<String>${escapeAttribute(String(item))}</String>` : serializeComposite(item)
}

function serializeElement(name: string, attributes: string, inside: string): string {
  return inside === '' ? `<${name} ${attributes}/>` : `<${name} ${attributes}>${inside}</${name}>`
}
