// The schema as CSDL in XML, version 4.0 (OData CSDL XML 4.0), for Excel, Power BI and generated clients.
import type { Field, FieldType, Resource } from '#model/resource.ts'
import { relationsOf, type Relation, type Schema } from '#model/schema.ts'
import { xmlDeclaration } from '#wire/xml-text.ts'

/** Names come from the model alone and need no escaping. */
export const csdlXml = (schema: Schema): string => {
  const types = schema.resources.map((resource) => entityType(schema, resource)).join('')
  const sets = schema.resources.map((resource) => entitySet(schema, resource)).join('')
  return (
    `${xmlDeclaration}<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">` +
    `<edmx:DataServices><Schema Namespace="${schema.namespace}" xmlns="http://docs.oasis-open.org/odata/ns/edm">` +
    `${types}<EntityContainer Name="Container">${sets}</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`
  )
}

const entityType = (schema: Schema, resource: Resource): string => {
  const key = resource.key.map((name) => `<PropertyRef Name="${wireOf(resource, name)}"/>`)
  const properties = Object.entries(resource.fields).map(([name, field]) =>
    property(field, resource.key.includes(name)),
  )
  const relations = relationsOf(schema, resource).map((one) => navigation(schema, one))
  return `<EntityType Name="${typeOf(resource)}"><Key>${key.join('')}</Key>${properties.join('')}${relations.join('')}</EntityType>`
}

/** Keys and stamps are always there; anything else may be null. */
const property = ({ wire, type, lengthMax }: Field, isKey: boolean): string => {
  const length = lengthMax === undefined ? '' : ` MaxLength="${lengthMax}"`
  const nullable = isKey || type === 'stamp' ? ' Nullable="false"' : ''
  return `<Property Name="${wire}" Type="${edmTypes[type]}${length}${nullable}/>`
}

/** Each ends inside of what its attribute opened. */
const edmTypes: Readonly<Record<FieldType, string>> = {
  integer: 'Edm.Int32"',
  decimal: 'Edm.Decimal" Precision="15" Scale="4"',
  date: 'Edm.Date"',
  stamp: 'Edm.DateTimeOffset" Precision="6"',
  text: 'Edm.String"',
  boolean: 'Edm.Boolean"',
}

const navigation = ({ namespace }: Schema, { of, wire, to, isMany, on }: Relation): string => {
  const type = `${namespace}.${typeOf(to)}`
  if (isMany) return `<NavigationProperty Name="${wire}" Type="Collection(${type})"/>`
  const constraints = Object.entries(on).map(
    ([mine, theirs]) =>
      `<ReferentialConstraint Property="${wireOf(of, mine)}" ReferencedProperty="${wireOf(to, theirs)}"/>`,
  )
  return `<NavigationProperty Name="${wire}" Type="${type}">${constraints.join('')}</NavigationProperty>`
}

const entitySet = (schema: Schema, resource: Resource): string => {
  const bindings = relationsOf(schema, resource).map(
    ({ wire, to }) => `<NavigationPropertyBinding Path="${wire}" Target="${to.wire}"/>`,
  )
  return `<EntitySet Name="${resource.wire}" EntityType="${schema.namespace}.${typeOf(resource)}">${bindings.join('')}</EntitySet>`
}

const typeOf = ({ wire, type }: Resource): string => type ?? wire

const wireOf = ({ table, fields }: Resource, name: string): string => {
  const field = fields[name]
  if (field === undefined) throw new Error(`${table} has no field ${name}`)
  return field.wire
}
