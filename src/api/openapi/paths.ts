// OpenAPI paths with their requests and responses, generated from the route tables.
import type { PublicRoute } from '../public-route.ts'
import { closedObject, listOrOne, reference } from './schemas.ts'
import { serverTask, taskByScope } from './tasks.ts'
import { credentialNames, type Operation } from '../operation.ts'
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
  const { input, requestSchema, body } = operation
  const recordInput = listOrOne(reference(`${input?.wire}Input`), body)
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
        description: 'The key of the record',
        schema: { type: keyTypeOf(operation.resource) },
      })),
      ...operation.parameters.names
        .filter((name) => !credentialNames.some((one) => one === name))
        .map((name) => describeParameter(name, operation)),
    ],
    ...(operation.body === 'none'
      ? {}
      : { requestBody: { required: true, content: contentTypes(requestSchema ?? recordInput, operation) } }),
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

/** What callers may send in the query string. A parameter without a schema is text. */
const parameterTexts: Readonly<Record<string, { readonly description: string; readonly schema?: object }>> = {
  $filter: { description: 'A condition: eq, ne, gt, ge, lt, le, in, and, or, not, and functions such as contains' },
  $select: { description: 'The fields of the reply, separated by commas' },
  $orderby: { description: 'Fields separated by commas, each with asc or desc' },
  $top: { description: 'The largest number of records', schema: { type: 'integer', minimum: 0 } },
  $skip: {
    description: 'The number of records to leave out at the beginning',
    schema: { type: 'integer', minimum: 0 },
  },
  $count: { description: 'Adds the number of records that match', schema: { type: 'boolean' } },
  $format: { description: 'json or xml, or a media type; has precedence over Accept' },
  $expand: { description: 'Related records to include, separated by commas; options in parentheses' },
  $search: { description: 'Words to find in the text fields; AND, OR, NOT and "a phrase"' },
  $compute: { description: 'Computed fields: EXPRESSION as NAME, separated by commas' },
  $apply: { description: 'Aggregation: groupby, aggregate, filter and other transformations, separated by /' },
  $skiptoken: { description: 'From @odata.nextLink: the next page' },
  $deltatoken: { description: 'From @odata.deltaLink: the changes since then' },
  $schemaversion: { description: 'The version of the schema in $metadata, or * for the current one' },
  atomic: { description: 'Whether one invalid element rejects all; otherwise the valid ones are stored' },
  dryRun: { description: 'Only checks; nothing is stored', schema: { type: 'boolean', default: false } },
  etter: { description: 'The id of the last alert that was received; the reply begins after it' },
}

function describeParameter(name: string, { isAtomicByDefault = true }: Operation) {
  const { description, schema = { type: 'string' } } = parameterTexts[name] ?? {}
  return {
    name,
    in: 'query',
    description,
    schema: name === 'atomic' ? { type: 'boolean', default: isAtomicByDefault } : schema,
  }
}

function contentTypes(schema: object, { supportsXml = false }: Operation) {
  return mediaTypes({ 'application/json': schema, ...(supportsXml ? { 'application/xml': schema } : {}) })
}

const responsesByKind: Record<Operation['responseKind'], (operation: Operation) => object> = {
  records: (operation) => done(contentTypes(recordsSchema(operation), operation)),
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
  set: ({ resource }) => done(mediaTypes({ 'application/json': collectionSchema(reference(resource.wire)) })),
  one: ({ resource }) => done(mediaTypes({ 'application/json': reference(resource.wire) })),
  results: (operation) => done(contentTypes(reference('Results'), operation)),
  number: () => done(mediaTypes({ 'text/plain': { type: 'integer' } })),
  nothing: () => ({ '204': { description: 'Done' } }),
}

function done(content: object) {
  return { '200': { description: 'Done', content } }
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
  return closedObject(['@odata.context', 'value'], {
    '@odata.context': { type: 'string' },
    '@odata.count': { type: 'integer' },
    '@odata.nextLink': { type: 'string' },
    '@odata.deltaLink': { type: 'string' },
    value: { type: 'array', items: one },
  })
}

function operationId(method: string, path: string): string {
  return method + path.replace(/[^A-Za-z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/\W+$/, '')
}
