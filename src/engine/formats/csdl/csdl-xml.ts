// CSDL XML serializer (OData CSDL XML 4.01), for Excel, Power BI and generated clients.
import { TypedText, vocabularies, vocabularyUrl, type CsdlElement, type CsdlValue } from './capabilities.ts'
import type { ODataVersion } from '../../planner/record-format.ts'
import { escapeAttribute, xmlDeclaration } from '../xml/xml-text.ts'

/** The same schema as in CSDL JSON. */
export function csdlXml(namespace: string, schema: CsdlElement, odataVersion: ODataVersion): string {
  const edm = 'http://docs.oasis-open.org/odata/ns/edm'
  return (
    `${xmlDeclaration}<edmx:Edmx Version="${odataVersion}" xmlns:edmx="${edm}x">${references}<edmx:DataServices>` +
    `<Schema Namespace="${namespace}" xmlns="${edm}">${serializeMembers(schema)}</Schema></edmx:DataServices></edmx:Edmx>`
  )
}

const references = Object.entries(vocabularies)
  .map(
    ([alias, namespace]) =>
      `<edmx:Reference Uri="${vocabularyUrl(namespace, 'xml')}"><edmx:Include Namespace="${namespace}" Alias="${alias}"/></edmx:Reference>`,
  )
  .join('')

function serializeMembers(element: CsdlElement): string {
  return membersOf(element)
    .map(([name, value]) => serializeMember(name, value))
    .join('')
}

/** Attributes are written by their element. */
function serializeMember(name: string, value: CsdlValue): string {
  if (name.startsWith('@')) return serializeAnnotation('Annotation', `Term="${name.slice(1)}"`, value)
  if (isCollection(value)) return `<Key>${value.map((key) => `<PropertyRef Name="${textOf(key)}"/>`).join('')}</Key>`
  if (isSimple(value))
    return typeof value === 'number' && !name.startsWith('$') ? `<Member Name="${name}" Value="${value}"/>` : ''
  const pair = pairElements[name]
  if (pair === undefined) return serializeElement(name, value)
  return membersOf(value)
    .map(([one, other]) => pair(one, textOf(other)))
    .join('')
}

/** Attributes of CSDL JSON that are elements in XML, one for each of their members. */
const pairElements: Readonly<Record<string, (name: string, value: string) => string>> = {
  $NavigationPropertyBinding: (path, target) => `<NavigationPropertyBinding Path="${path}" Target="${target}"/>`,
  $ReferentialConstraint: (own, other) => `<ReferentialConstraint Property="${own}" ReferencedProperty="${other}"/>`,
}

function serializeElement(name: string, element: CsdlElement): string {
  const kind = textOf(element['$Kind'] ?? (element['$Collection'] === true ? 'EntitySet' : 'Property'))
  const attributes = attributesByKind[kind]?.(element) ?? []
  const written = [['Name', name] as const, ...attributes].flatMap(([attribute, value]) =>
    value === undefined ? [] : `${attribute}="${textOf(value)}"`,
  )
  return writeElement(kind, written.join(' '), serializeMembers(element))
}

type Attributes = readonly (readonly [name: string, value: CsdlValue | undefined])[]

const attributesByKind: Readonly<Record<string, (element: CsdlElement) => Attributes>> = {
  EnumType: ({ $IsFlags }) => ($IsFlags === true ? [['IsFlags', true]] : []),
  EntitySet: ({ $Type }) => [['EntityType', $Type]],
  Property: ({ $Type = 'Edm.String', $Nullable = false, $Precision, $Scale, $MaxLength, $DefaultValue }) => [
    ['Type', $Type],
    ['Precision', $Precision],
    ['Scale', $Scale],
    ['MaxLength', $MaxLength],
    ['DefaultValue', $DefaultValue],
    ['Nullable', $Nullable === true ? undefined : false],
  ],
  NavigationProperty: ({ $Type, $Collection, $Partner }) => [
    ['Type', $Collection === true ? `Collection(${textOf($Type)})` : $Type],
    ['Partner', $Partner],
  ],
}

/** An attribute of CSDL JSON has one plain value. */
function textOf(value: CsdlValue | undefined): string {
  return typeof value === 'object' ? '' : escapeAttribute(String(value))
}

type SimpleValue = boolean | number | string | TypedText

/** A collection or record is a nested element, any other value an attribute. */
function serializeAnnotation(name: string, attributes: string, value: CsdlValue): string {
  if (isSimple(value)) return writeElement(name, `${attributes} ${attributeOf(value)}`, '')
  return writeElement(name, attributes, serializeComposite(value))
}

function isSimple(value: CsdlValue): value is SimpleValue {
  return typeof value !== 'object' || value instanceof TypedText
}

function attributeOf(value: SimpleValue): string {
  if (value instanceof TypedText) return `${value.kind}="${value.xml}"`
  if (typeof value === 'boolean') return `Bool="${value}"`
  return typeof value === 'number' ? `Int="${value}"` : `String="${escapeAttribute(value)}"`
}

function serializeComposite(value: Exclude<CsdlValue, SimpleValue>): string {
  if (isCollection(value)) return `<Collection>${value.map(serializeItem).join('')}</Collection>`
  const properties = membersOf(value).map(([name, one]) =>
    serializeAnnotation('PropertyValue', `Property="${name}"`, one),
  )
  return `<Record>${properties.join('')}</Record>`
}

/** Needed because `Array.isArray` does not narrow a readonly array. */
function isCollection(value: CsdlValue): value is readonly CsdlValue[] {
  return Array.isArray(value)
}

function serializeItem(item: CsdlValue): string {
  if (item instanceof TypedText) return `<${item.kind}>${item.xml}</${item.kind}>`
  return isSimple(item) ? `<String>${escapeAttribute(String(item))}</String>` : serializeComposite(item)
}

function membersOf(element: CsdlElement): [string, CsdlValue][] {
  return Object.entries(element).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
}

function writeElement(name: string, attributes: string, inside: string): string {
  return inside === '' ? `<${name} ${attributes}/>` : `<${name} ${attributes}>${inside}</${name}>`
}
