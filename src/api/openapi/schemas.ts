// JSON schemas of the resources, for responses and for requests.
import type { Operation } from '../operation.ts'
import type { Route } from '../routes.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import { kindOfType, type Field, type Resource, type TypeKind } from '../../engine/model/resource.ts'
import { referencesOf, relationsOf, type Relation } from '../../engine/model/schema.ts'

export function listOrOne(one: object, body: Operation['body']): object {
  const many = { type: 'array', items: one }
  if (body === 'one') return one
  return body === 'either' ? { oneOf: [one, many] } : many
}

/** The response schema of each resource, and the request schema of each input. */
export function resourceSchemas(routes: readonly Route[]): Record<string, object> {
  return Object.fromEntries(
    routes.flatMap(({ operation: { resource, input } }) => [
      [resource.wire, responseSchema(resource)],
      ...(input === null ? [] : [[`${input.wire}Input`, requestSchema(input)]]),
    ]),
  )
}

/** Every field is optional because of `$select`; other properties do not occur. */
function responseSchema(resource: Resource) {
  const { fields, key } = resource
  const { properties, ...rest } = objectSchema(Object.values(fields), ({ wire }) => wire)
  const keys = key.flatMap((name) => fields[name] ?? []).filter(({ type }) => type === 'integer')
  return {
    ...rest,
    additionalProperties: false,
    properties: {
      // In a reply with a single record.
      '@odata.context': { type: 'string' },
      // In records of sets that can be written, but not below /dev.
      '@odata.etag': { type: 'string' },
      ...properties,
      ...Object.fromEntries(
        keys.map(({ wire, description = 'Key' }) => [
          wire,
          {
            type: ['integer', 'null'],
            format: 'int32',
            description: `${description}. Null only for a new record in a dry run`,
          },
        ]),
      ),
      ...Object.fromEntries(relationsOf(serviceSchema, resource).flatMap(relationSchemas)),
    },
  }
}

/** The properties that `$expand` adds. */
function relationSchemas({ wire, to, isMany }: Relation): [string, object][] {
  return isMany
    ? [
        [`${wire}@odata.count`, { type: 'integer' }],
        [`${wire}@odata.nextLink`, { type: 'string' }],
        [wire, { type: 'array', items: reference(to.wire) }],
      ]
    : [[wire, { anyOf: [reference(to.wire), { type: 'null' }] }]]
}

/** Keys have their request spelling (interface 2.1). */
function requestSchema(resource: Resource) {
  const { properties, ...rest } = objectSchema(
    Object.values(resource.fields).filter((field) => field.readOnly !== true),
    ({ wire, aliases }) => aliases?.[0] ?? wire,
  )
  return { ...rest, properties: { ...properties, ...bindSchemas(resource) } }
}

/** The bind annotations, in place of foreign keys. */
function bindSchemas(resource: Resource): Record<string, object> {
  return Object.fromEntries(
    referencesOf(serviceSchema, resource).map(({ wire, to }) => [
      `${wire}@odata.bind`,
      { type: ['string', 'null'], description: `The URL of a record of ${to.wire}` },
    ]),
  )
}

function objectSchema(fields: readonly Field[], nameOf: (field: Field) => string) {
  return { type: 'object', properties: Object.fromEntries(fields.map((field) => [nameOf(field), fieldSchema(field)])) }
}

function fieldSchema(field: Field): object {
  const { type, description: typeDescription, ...facets } = fieldTypes[kindOfType(field.type)]
  const descriptions = [field.description, typeDescription].filter((one) => one !== undefined)
  return {
    type: field.optional ? [type, 'null'] : type,
    ...facets,
    ...(descriptions.length === 0 ? {} : { description: descriptions.join('. ') }),
    ...(field.lengthMax === undefined ? {} : { maxLength: field.lengthMax }),
    ...(field.default === undefined ? {} : { default: field.default }),
  }
}

const fieldTypes: Readonly<Record<TypeKind, { type: string; format?: string; description?: string }>> = {
  integer: { type: 'integer', format: 'int32' },
  decimal: { type: 'number', format: 'decimal', description: 'At most 4 places, |x| < 100000000000' },
  date: { type: 'string', description: 'A calendar date; 2013-01-01 or 2013-01-01T00:00:00' },
  timestamp: { type: 'string', format: 'date-time', description: 'UTC, with microseconds' },
  timeOfDay: { type: 'string', format: 'time' },
  duration: { type: 'string', format: 'duration' },
  enum: { type: 'string' },
  text: { type: 'string' },
  boolean: { type: 'boolean' },
}

/** An object without other properties than these. */
export function closedObject(required: readonly string[], properties: object) {
  return { type: 'object', additionalProperties: false, required, properties }
}

export function reference(schema: string) {
  return { $ref: `#/components/schemas/${schema}` }
}
