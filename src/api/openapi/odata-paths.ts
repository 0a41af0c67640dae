// OpenAPI paths of the OData service, below `/odata`; the other service roots have the same.
import { rowsBelowAnyRoot } from '../route-lookup.ts'
import { byPath, describeOperation, describePublicRoute } from './paths.ts'
import { resourceReaders } from '../odata/resource-readers.ts'
import { readEntityOperation, readSetOperation } from '../odata/read-set.ts'
import { serviceTask } from './tasks.ts'
import { routes, type Route } from '../routes.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import type { PublicRoute } from '../public-route.ts'
import type { Resource } from '../../engine/model/resource.ts'

/** Every set with its operations. */
export function setRoutes(): readonly Route[] {
  return serviceSchema.resources.flatMap((resource) => {
    const { wire } = resource
    const summary = `Read ${wire}`
    const [set, one] = [`/odata/${wire}`, `/odata/${wire}(:id)`]
    const reads: Route[] = [
      { method: 'GET', path: set, operation: readSetOperation(resource, summary, rule) },
      { method: 'GET', path: one, operation: readEntityOperation(resource, summary, rule) },
      { method: 'GET', path: `${set}/$count`, operation: countOperation(resource) },
    ]
    const writes = [set, one].flatMap((path) =>
      rowsBelowAnyRoot(path, routes)
        .filter(({ method }) => method !== 'GET')
        .map(({ method, operation }) => ({ method, path, operation })),
    )
    return [...reads, ...writes]
  })
}

const rule = '4.3.1'

function countOperation(resource: Resource) {
  return {
    ...readSetOperation(resource, `The number of records in ${resource.wire}`, rule),
    parameters: resourceReaders.count.parameters,
    responseKind: 'number' as const,
  }
}

/** A read of a set, with the protocol headers that every OData read accepts. */
export function describeSet(route: Route) {
  const { parameters, ...rest } = describeOperation(route)
  return { ...rest, tags: [serviceTask], parameters: [...parameters, ...protocolHeaders] }
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
  properties: { id: text, status: { type: 'integer' }, headers: any, body: {}, atomicityGroup: text },
}

function listIn(name: string, items: object) {
  return { type: 'object', required: [name], properties: { [name]: { type: 'array', items } } }
}

const serviceRoutes: readonly Omit<PublicRoute, 'handle'>[] = [
  { method: 'GET', path: '/odata', summary: 'The sets of the service', responseSchemas: { 'application/json': any } },
  {
    method: 'GET',
    path: '/odata/$metadata',
    summary: 'The schema as CSDL',
    responseSchemas: { 'application/xml': text, 'application/json': any },
  },
  {
    method: 'POST',
    path: '/odata/$batch',
    summary: 'Several requests in one',
    requestSchemas: { 'application/json': listIn('requests', batchRequest), 'multipart/mixed': text },
    responseSchemas: { 'application/json': listIn('responses', batchResponse), 'multipart/mixed': text },
  },
]

/** The service document, `$metadata` and `$batch`, which require a credential. */
export const servicePaths = byPath(serviceRoutes, (route) => ({
  ...describePublicRoute(route),
  tags: [serviceTask],
  security: undefined,
}))
