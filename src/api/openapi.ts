// The interface as an OpenAPI 3.1 document, made of the route table and the descriptions of resources.
import { openRoutes } from '#api/open-routes.ts'
import type { Operation } from '#api/operation.ts'
import { routes, type Route } from '#api/routes.ts'
import { faults } from '#faults.ts'
import type { Field, Resource } from '#model/resource.ts'

/** `publicUrl` is '' on a server that has no public name. */
export const openapi = (version: string, publicUrl: string): object => ({
  openapi: '3.1.0',
  info: {
    title: 'Dagsverk',
    version,
    license: { name: 'MIT', identifier: 'MIT' },
    summary: 'Revenue per department and date',
  },
  servers: [{ url: publicUrl === '' ? '/' : publicUrl }],
  security: [
    { firma: [], passord: [] },
    { key: [] },
    { bearer: [] },
    { basic: [] },
    { xFirma: [], xPassord: [] },
  ],
  paths: Object.assign({}, ...openPaths(), ...groupByPath(routes)),
  components: {
    securitySchemes: {
      firma: { type: 'apiKey', in: 'query', name: 'firma', description: 'Company identifier' },
      passord: {
        type: 'apiKey',
        in: 'query',
        name: 'passord',
        description: 'Password of the company',
      },
      xFirma: { type: 'apiKey', in: 'header', name: 'X-Firma' },
      xPassord: { type: 'apiKey', in: 'header', name: 'X-Passord' },
      key: { type: 'apiKey', in: 'header', name: 'tb-key', description: 'API key' },
      bearer: { type: 'http', scheme: 'bearer', description: 'API key' },
      basic: { type: 'http', scheme: 'basic', description: 'Company and password' },
    },
    responses: { Refusal: refusal },
    schemas: { ...resourceSchemas(), Error: errorSchema },
  },
})

const openPaths = () =>
  openRoutes.map(({ path, summary }) => ({
    [path]: {
      get: {
        operationId: operationId('get', path),
        summary,
        security: [],
        responses: {
          '200': {
            description: 'Answered',
            content: { 'application/json': { schema: { type: 'object' } } },
          },
          default: { $ref: '#/components/responses/Refusal' },
        },
      },
    },
  }))

const groupByPath = (all: readonly Route[]) =>
  [...Map.groupBy(all, ({ path }) => path.replace(/:(\w+)/g, '{$1}'))].map(([path, methods]) => ({
    [path]: Object.fromEntries(
      methods.map((route) => [route.method.toLowerCase(), described(route)]),
    ),
  }))

const described = ({ method, path, operation }: Route) => ({
  operationId: operationId(method.toLowerCase(), path),
  summary: operation.summary,
  description: `Rule ${operation.rule} of the interface. Needs the scope ${operation.scope}.`,
  parameters: [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'integer' },
    })),
    ...operation.parameters.names
      .filter((name) => !credentialNames.has(name))
      .map((name) => ({ name, in: 'query', schema: parameterSchemas[name] ?? { type: 'string' } })),
  ],
  ...(operation.body === 'none'
    ? {}
    : { requestBody: { required: true, content: contentOf(bodySchema(operation)) } }),
  responses: {
    ...answers[operation.answer](operation),
    default: { $ref: '#/components/responses/Refusal' },
  },
})

const credentialNames = new Set(['firma', 'passord', 'key'])

const parameterSchemas: Readonly<Record<string, object>> = {
  $top: { type: 'integer', minimum: 0 },
  $skip: { type: 'integer', minimum: 0 },
  $count: { type: 'boolean' },
  dryRun: { type: 'boolean', default: false },
  atomic: { type: 'boolean', default: true },
}

const contentOf = (schema: object) => ({
  'application/json': { schema },
  'application/xml': { schema },
})

const bodySchema = ({ input, body }: Operation): object =>
  listOrOne(reference(`${input?.wire}Input`), body)

const answers: Record<Operation['answer'], (operation: Operation) => object> = {
  records: ({ resource, body }) => ({
    '200': { description: 'Done', content: contentOf(listOrOne(reference(resource.wire), body)) },
  }),
  set: ({ resource }) => ({
    '200': {
      description: 'Done',
      content: { 'application/json': { schema: setOf(reference(resource.wire)) } },
    },
  }),
  one: ({ resource }) => ({
    '200': {
      description: 'Done',
      content: { 'application/json': { schema: reference(resource.wire) } },
    },
  }),
  number: () => ({
    '200': { description: 'Done', content: { 'text/plain': { schema: { type: 'integer' } } } },
  }),
  nothing: () => ({ '204': { description: 'Done' } }),
}

/** The envelope of OData. */
const setOf = (one: object): object => ({
  type: 'object',
  required: ['@odata.context', 'value'],
  properties: {
    '@odata.context': { type: 'string' },
    '@odata.count': { type: 'integer' },
    value: { type: 'array', items: one },
  },
})

const listOrOne = (one: object, body: Operation['body']): object => {
  const many = { type: 'array', items: one }
  if (body === 'one') return one
  return body === 'either' ? { oneOf: [one, many] } : many
}

const reference = (schema: string) => ({ $ref: `#/components/schemas/${schema}` })

/** A resource as it is read, and each input as it is written. */
const resourceSchemas = (): Record<string, object> =>
  Object.fromEntries(
    routes.flatMap(({ operation: { resource, input } }) => [
      [resource.wire, objectOf(Object.values(resource.fields), ({ wire }) => wire)],
      ...(input === null ? [] : [[`${input.wire}Input`, inputSchema(input)]]),
    ]),
  )

/** Keys are written as the input side spells them (interface 2.1). */
const inputSchema = ({ fields }: Resource) =>
  objectOf(
    Object.values(fields).filter((field) => field.readOnly !== true),
    ({ wire, alsoReads }) => alsoReads?.[0] ?? wire,
  )

const objectOf = (fields: readonly Field[], nameOf: (field: Field) => string) => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((field) => [nameOf(field), fieldSchema(field)])),
})

const fieldSchema = (field: Field): object => {
  const { type, ...facets } = fieldTypes[field.type]
  return {
    type: field.optional ? [type, 'null'] : type,
    ...facets,
    ...(field.lengthMax === undefined ? {} : { maxLength: field.lengthMax }),
    ...(field.absent === undefined ? {} : { default: field.absent }),
  }
}

const fieldTypes: Readonly<
  Record<Field['type'], { type: string; format?: string; description?: string }>
> = {
  integer: { type: 'integer', format: 'int32' },
  decimal: {
    type: 'number',
    format: 'decimal',
    description: 'At most 4 places, |x| < 100000000000',
  },
  date: { type: 'string', description: 'A calendar date; 2013-01-01 or 2013-01-01T00:00:00' },
  stamp: { type: 'string', format: 'date-time', description: 'UTC, with microseconds' },
  text: { type: 'string' },
  boolean: { type: 'boolean' },
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'requestId', 'outcome'],
      properties: {
        code: { type: 'string', enum: Object.keys(faults) },
        message: { type: 'string' },
        target: { type: 'string', description: 'Where: [3].Dato, $filter:17, header:tb-key' },
        details: {
          type: 'array',
          maxItems: 100,
          items: {
            type: 'object',
            required: ['code', 'message'],
            properties: {
              code: { type: 'string' },
              message: { type: 'string' },
              target: { type: 'string' },
              existing: { type: 'integer' },
            },
          },
        },
        existing: { type: 'integer', description: 'The key of the record that stands in the way' },
        requestId: { type: 'string' },
        outcome: { type: 'string', enum: ['not_applied', 'unknown'] },
      },
    },
  },
}

const refusal = {
  description: 'Refused: the code says why, the target where',
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/Error' } },
    'application/problem+json': { schema: { type: 'object' } },
    'application/xml': { schema: { $ref: '#/components/schemas/Error' } },
  },
}

const operationId = (method: string, path: string): string =>
  method +
  path
    .replace(/[^A-Za-z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase())
    .replace(/\W+$/, '')
