// OpenAPI paths of the OData service, below `/odata`; the other service roots have the same.
import { rowsBelowAny } from '../addresses.ts'
import { described, mediaTypes, operationId } from './paths.ts'
import { manners } from '../odata/read-resource.ts'
import { readsEntity, readsSet } from '../odata/read-set.ts'
import { routes, serviceRoots, type Route } from '../routes.ts'
import { dagsverk } from '../../model/service-schema.ts'
import type { Resource } from '../../engine/model/resource.ts'

/** Every set with its operations. */
export function setRoutes(): readonly Route[] {
  return dagsverk.resources.flatMap((resource) => {
    const { wire } = resource
    const told = { summary: `Read ${wire}`, rule: '4.3.1' }
    const [set, one] = [`/odata/${wire}`, `/odata/${wire}(:id)`]
    const reads: Route[] = [
      { method: 'GET', path: set, operation: readsSet(resource, told) },
      { method: 'GET', path: one, operation: readsEntity(resource, told) },
      { method: 'GET', path: `${set}/$count`, operation: counts(resource) },
    ]
    const writes = [set, one].flatMap((path) =>
      rowsBelowAny(path, routes, serviceRoots)
        .filter(({ method }) => method !== 'GET')
        .map(({ method, operation }) => ({ method, path, operation })),
    )
    return [...reads, ...writes]
  })
}

function counts(resource: Resource) {
  return {
    ...readsSet(resource, { summary: `The number of records in ${resource.wire}`, rule: '4.3.1' }),
    parameters: manners.count.parameters,
    answer: 'number' as const,
  }
}

/** A read of a set, with the protocol headers that every OData read accepts. */
export function describedSet(route: Route) {
  const { parameters, ...rest } = described(route)
  return { ...rest, parameters: [...parameters, ...protocolHeaders] }
}

const protocolHeaders = [
  {
    name: 'OData-MaxVersion',
    in: 'header',
    description: '4.01; default 4.0',
    schema: { type: 'string', enum: ['4.0', '4.01'] },
  },
  {
    name: 'Prefer',
    in: 'header',
    description: 'odata.maxpagesize=500, odata.omit-values=nulls, odata.track-changes',
    schema: { type: 'string' },
  },
]

function told(method: string, path: string, summary: string, answers: Record<string, object>) {
  return {
    operationId: operationId(method, path),
    summary,
    responses: {
      '200': { description: 'Done', content: mediaTypes(answers) },
      default: { $ref: '#/components/responses/Refusal' },
    },
  }
}

const any = { type: 'object', additionalProperties: true }
const text = { type: 'string' }

const batchRequest = {
  type: 'object',
  required: ['id', 'method', 'url'],
  properties: {
    id: text,
    method: text,
    url: { type: 'string', description: 'Absolute, or relative to the service root' },
    headers: any,
    body: {},
    atomicityGroup: { type: 'string', description: 'Requests of a group succeed or fail together' },
    dependsOn: { type: 'array', items: text },
  },
}

const batchResponse = {
  type: 'object',
  required: ['id', 'status'],
  properties: {
    id: text,
    status: { type: 'integer' },
    headers: any,
    body: {},
    atomicityGroup: text,
  },
}

function listIn(name: string, items: object) {
  return {
    type: 'object',
    required: [name],
    properties: { [name]: { type: 'array', items } },
  }
}

/** The service document, `$metadata` and `$batch`. */
export const servicePaths = {
  '/odata': { get: told('get', '/odata', 'The sets of the service', { 'application/json': any }) },
  '/odata/$metadata': {
    get: told('get', '/odata/$metadata', 'The schema as CSDL', {
      'application/xml': text,
      'application/json': any,
    }),
  },
  '/odata/$batch': {
    post: {
      ...told('post', '/odata/$batch', 'Several requests in one', {
        'application/json': listIn('responses', batchResponse),
        'multipart/mixed': text,
      }),
      requestBody: {
        required: true,
        content: mediaTypes({
          'application/json': listIn('requests', batchRequest),
          'multipart/mixed': text,
        }),
      },
    },
  },
} as const
