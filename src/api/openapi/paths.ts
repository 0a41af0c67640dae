// OpenAPI paths with their requests and responses, generated from the route tables.
import type { PublicRoute } from '../public-route.ts'
import { listOrOne, reference } from './schemas.ts'
import { serverTask, taskByScope } from './tasks.ts'
import type { Operation } from '../operation.ts'
import type { Route } from '../routes.ts'
import type { Resource } from '../../engine/model/resource.ts'

/** Groups routes by path; `Omsetning(:id)` becomes `Omsetning({id})`. */
export function byPath<R extends Pick<Route, 'method' | 'path'>>(
  all: readonly R[],
  describe: (route: R) => object,
): Record<string, object> {
  return Object.fromEntries(
    [...Map.groupBy(all, ({ path }) => path.replace(/:(\w+)/g, '{$1}'))].map(([path, methods]) => [
      path,
      Object.fromEntries(methods.map((route) => [route.method.toLowerCase(), describe(route)])),
    ]),
  )
}

export function describePublicRoute({
  method,
  path,
  summary,
  status = 200,
  requestSchemas,
  responseSchemas: schemas,
}: Omit<PublicRoute, 'handle'>) {
  return {
    operationId: operationId(method.toLowerCase(), path),
    tags: [serverTask],
    summary,
    security: [],
    ...(requestSchemas === undefined ? {} : { requestBody: { required: true, content: mediaTypes(requestSchemas) } }),
    responses: {
      [status]: { description: 'Done', content: mediaTypes(schemas) },
      default: { $ref: '#/components/responses/ErrorResponse' },
    },
  }
}

function mediaTypes(schemas: Readonly<Record<string, object>>) {
  return Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }]))
}

export function describeOperation({ method, path, operation }: Route) {
  return {
    operationId: operationId(method.toLowerCase(), path),
    tags: [taskByScope[operation.scope]],
    summary: operation.summary,
    description: `Rule ${operation.rule} of the interface. Requires the scope ${operation.scope}.`,
    parameters: [
      ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: keyTypeOf(operation.resource) },
      })),
      ...operation.parameters.names
        .filter((name) => !credentialNames.has(name))
        .map((name) => ({ name, in: 'query', schema: parameterSchema(name, operation) })),
    ],
    ...(operation.body === 'none'
      ? {}
      : { requestBody: { required: true, content: contentTypes(bodySchema(operation), operation) } }),
    responses: {
      ...responsesByKind[operation.responseKind](operation),
      default: { $ref: '#/components/responses/ErrorResponse' },
    },
  }
}

/** A text key is quoted inside the parentheses. */
function keyTypeOf({ key: [name = ''], fields }: Resource): string {
  return fields[name]?.type === 'text' ? 'string' : 'integer'
}

const credentialNames = new Set(['firma', 'passord', 'key'])

const parameterSchemas: Readonly<Record<string, object>> = {
  $top: { type: 'integer', minimum: 0 },
  $skip: { type: 'integer', minimum: 0 },
  $count: { type: 'boolean' },
  dryRun: { type: 'boolean', default: false },
}

function parameterSchema(name: string, { isAtomicByDefault = true }: Operation): object {
  return name === 'atomic'
    ? { type: 'boolean', default: isAtomicByDefault }
    : (parameterSchemas[name] ?? { type: 'string' })
}

function contentTypes(schema: object, { supportsXml = false }: Operation) {
  return { 'application/json': { schema }, ...(supportsXml ? { 'application/xml': { schema } } : {}) }
}

function bodySchema({ input, body, requestSchema }: Operation): object {
  return requestSchema ?? listOrOne(reference(`${input?.wire}Input`), body)
}

const responsesByKind: Record<Operation['responseKind'], (operation: Operation) => object> = {
  records: (operation) => ({
    '200': { description: 'Done', content: contentTypes(recordsSchema(operation), operation) },
  }),
  created: (operation) => ({
    '200':
      operation.body === 'one'
        ? { description: 'It existed already', content: contentTypes(reference(operation.resource.wire), operation) }
        : { description: 'The valid rows were stored', content: contentTypes(reference('Outcomes'), operation) },
    '201': {
      description: 'Created',
      content: contentTypes(listOrOne(reference(operation.resource.wire), operation.body), operation),
    },
  }),
  set: ({ resource }) => ({
    '200': {
      description: 'Done',
      content: { 'application/json': { schema: collectionSchema(reference(resource.wire)) } },
    },
  }),
  one: ({ resource }) => ({
    '200': { description: 'Done', content: { 'application/json': { schema: reference(resource.wire) } } },
  }),
  results: (operation) => ({ '200': { description: 'Done', content: contentTypes(reference('Results'), operation) } }),
  number: () => ({ '200': { description: 'Done', content: { 'text/plain': { schema: { type: 'integer' } } } } }),
  nothing: () => ({ '204': { description: 'Done' } }),
}

function recordsSchema({ resource, body }: Operation): object {
  return {
    anyOf: [
      listOrOne(reference(resource.wire), body),
      ...(body === 'many' || body === 'either' ? [reference('Outcomes')] : []),
    ],
  }
}

/** The OData envelope of a collection. */
function collectionSchema(one: object): object {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['@odata.context', 'value'],
    properties: {
      '@odata.context': { type: 'string' },
      '@odata.count': { type: 'integer' },
      '@odata.nextLink': { type: 'string' },
      '@odata.deltaLink': { type: 'string' },
      value: { type: 'array', items: one },
    },
  }
}

function operationId(method: string, path: string): string {
  return method + path.replace(/[^A-Za-z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/\W+$/, '')
}
