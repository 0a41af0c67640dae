// The interface as an OpenAPI 3.1 document, made of the route table and the descriptions of resources.
import type { OpenRoute } from '#api/open-route.ts'
import { openRoutes } from '#api/open-routes.ts'
import type { Operation } from '#api/operation.ts'
import { routes, type Route } from '#api/routes.ts'
import { detailsMax, faults } from '#faults.ts'
import { resultWords } from '#model/result-words.ts'
import type { Field, Resource } from '#model/resource.ts'
import { revenue } from '#model/revenue.ts'

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
  paths: { ...byPath(openRoutes, describedOpen), ...byPath(routes, described) },
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
    schemas: {
      ...resourceSchemas(),
      Outcomes: outcomesSchema,
      Results: resultsSchema,
      Error: errorSchema,
      Problem: problemSchema,
    },
  },
})

/** `Omsetning(:id)` is written `Omsetning({id})` there. */
const byPath = <R extends Pick<Route, 'method' | 'path'>>(
  all: readonly R[],
  describe: (route: R) => object,
): Record<string, object> =>
  Object.fromEntries(
    [...Map.groupBy(all, ({ path }) => path.replace(/:(\w+)/g, '{$1}'))].map(([path, methods]) => [
      path,
      Object.fromEntries(methods.map((route) => [route.method.toLowerCase(), describe(route)])),
    ]),
  )

const describedOpen = ({
  method,
  path,
  summary,
  status = 200,
  takes,
  answers: told,
}: OpenRoute) => ({
  operationId: operationId(method.toLowerCase(), path),
  summary,
  security: [],
  ...(takes === undefined ? {} : { requestBody: { required: true, content: mediaTypes(takes) } }),
  responses: {
    [status]: { description: 'Done', content: mediaTypes(told) },
    default: { $ref: '#/components/responses/Refusal' },
  },
})

const mediaTypes = (schemas: Readonly<Record<string, object>>) =>
  Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }]))

const described = ({ method, path, operation }: Route) => ({
  operationId: operationId(method.toLowerCase(), path),
  summary: operation.summary,
  description: `Rule ${operation.rule} of the interface. Needs the scope ${operation.scope}.`,
  parameters: [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: keyTypeOf(operation.resource) },
    })),
    ...operation.parameters.names
      .filter((name) => !credentialNames.has(name))
      .map((name) => ({ name, in: 'query', schema: parameterSchemas[name] ?? { type: 'string' } })),
  ],
  ...(operation.body === 'none'
    ? {}
    : { requestBody: { required: true, content: contentOf(bodySchema(operation), operation) } }),
  responses: {
    ...answers[operation.answer](operation),
    default: { $ref: '#/components/responses/Refusal' },
  },
})

/** A key of text stands in quotes, within the brackets. */
const keyTypeOf = ({ key: [name = ''], fields }: Resource): string =>
  fields[name]?.type === 'text' ? 'string' : 'integer'

const credentialNames = new Set(['firma', 'passord', 'key'])

const parameterSchemas: Readonly<Record<string, object>> = {
  $top: { type: 'integer', minimum: 0 },
  $skip: { type: 'integer', minimum: 0 },
  $count: { type: 'boolean' },
  dryRun: { type: 'boolean', default: false },
  atomic: { type: 'boolean', default: true },
}

/** XML is for revenue alone. */
const contentOf = (schema: object, { resource }: Operation) => ({
  'application/json': { schema },
  ...(resource === revenue ? { 'application/xml': { schema } } : {}),
})

const bodySchema = ({ input, body, takes }: Operation): object =>
  takes ?? listOrOne(reference(`${input?.wire}Input`), body)

const answers: Record<Operation['answer'], (operation: Operation) => object> = {
  records: (operation) => ({
    '200': { description: 'Done', content: contentOf(storedSchema(operation), operation) },
  }),
  created: (operation) => ({
    '200': {
      description: 'The good rows were taken',
      content: contentOf(reference('Outcomes'), operation),
    },
    '201': {
      description: 'Created',
      content: contentOf(listOrOne(reference(operation.resource.wire), operation.body), operation),
    },
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
  results: (operation) => ({
    '200': { description: 'Done', content: contentOf(reference('Results'), operation) },
  }),
  number: () => ({
    '200': { description: 'Done', content: { 'text/plain': { schema: { type: 'integer' } } } },
  }),
  nothing: () => ({ '204': { description: 'Done' } }),
}

const storedSchema = ({ resource, body }: Operation): object => ({
  anyOf: [
    listOrOne(reference(resource.wire), body),
    ...(body === 'many' || body === 'either' ? [reference('Outcomes')] : []),
  ],
})

/** The envelope of OData. */
const setOf = (one: object): object => ({
  type: 'object',
  additionalProperties: false,
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

/** A resource as it is read, and each input as it is written. */
const resourceSchemas = (): Record<string, object> =>
  Object.fromEntries(
    routes.flatMap(({ operation: { resource, input } }) => [
      [resource.wire, answerSchema(resource)],
      ...(input === null ? [] : [[`${input.wire}Input`, inputSchema(input)]]),
    ]),
  )

/** Every field may be missing, as `$select` says, and nothing else can be there. */
const answerSchema = ({ fields, key }: Resource) => {
  const { properties, ...rest } = objectOf(Object.values(fields), ({ wire }) => wire)
  const keys = key.flatMap((name) => fields[name] ?? []).filter(({ type }) => type === 'integer')
  return {
    ...rest,
    additionalProperties: false,
    properties: {
      // Of one record that is answered by itself.
      '@odata.context': { type: 'string' },
      '@odata.etag': { type: 'string' },
      ...properties,
      ...Object.fromEntries(keys.map(({ wire }) => [wire, keySchema])),
    },
  }
}

const keySchema = {
  type: ['integer', 'null'],
  format: 'int32',
  description: 'Null for a new record in a dry run alone',
}

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

const reference = (schema: string) => ({ $ref: `#/components/schemas/${schema}` })

const faultCode = { type: 'string', enum: Object.keys(faults) }

/** What a refusal and each of its details say. */
const told = {
  code: faultCode,
  message: { type: 'string' },
  target: { type: 'string', description: 'Where: [3].Dato, $filter:17, header:tb-key' },
  existing: { type: 'integer', description: 'The key of the record that stands in the way' },
}

const details = {
  type: 'array',
  maxItems: detailsMax,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['code', 'message'],
    properties: told,
  },
}

const problems = { type: 'integer', description: 'How many problems there are in all' }
const outcome = { type: 'string', enum: ['not_applied', 'unknown'] }

/** What became of each element, and how many there are of each code. */
const results = {
  [resultWords.results]: {
    type: 'array',
    items: {
      type: 'object',
      required: ['code'],
      properties: {
        index: { type: 'integer' },
        id: { description: 'As it was sent, where it is no id' },
        code: { type: 'string' },
        message: { type: 'string' },
        target: { type: ['string', 'null'] },
      },
    },
  },
  [resultWords.counts]: { type: 'object', additionalProperties: { type: 'integer' } },
}

const errorSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      additionalProperties: false,
      required: ['code', 'message', 'requestId', 'outcome'],
      properties: {
        ...told,
        details,
        problems,
        requestId: { type: 'string' },
        outcome,
        ...results,
      },
    },
  },
}

/** RFC 9457. */
const problemSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'outcome'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: told.message,
    instance: { type: 'string' },
    code: faultCode,
    target: told.target,
    existing: told.existing,
    details,
    problems,
    outcome,
    ...results,
  },
}

/** What became of each row, for callers who took the good ones (`atomic=false`). */
const outcomesSchema = {
  type: 'object',
  additionalProperties: false,
  required: [resultWords.results, resultWords.counts],
  properties: {
    [resultWords.results]: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['index', 'code'],
        properties: {
          index: { type: 'integer' },
          code: { enum: ['inserted', 'updated', 'unchanged', ...Object.keys(faults)] },
          record: { type: 'object' },
          message: { type: 'string' },
          target: { type: ['string', 'null'] },
        },
      },
    },
    [resultWords.counts]: { type: 'object', additionalProperties: { type: 'integer' } },
  },
}

const resultsSchema = {
  type: 'object',
  additionalProperties: false,
  required: [resultWords.results, resultWords.counts],
  properties: results,
}

const refusal = {
  description: 'Refused: the code says why, the target where',
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/Error' } },
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    'application/xml': { schema: { $ref: '#/components/schemas/Error' } },
  },
}

const operationId = (method: string, path: string): string =>
  method +
  path
    .replace(/[^A-Za-z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase())
    .replace(/\W+$/, '')
