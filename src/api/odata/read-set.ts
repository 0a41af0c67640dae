// Operations for the route table: entity sets and entities by key (interface 4.3).
import { message } from '../../errors/messages.ts'
import { notFoundError } from '../../errors/api-error.ts'
import { resolvePath } from './resource-url.ts'
import type { Handler, Operation } from '../operation.ts'
import { resourceHandler, scopeOfResource } from './read-resource.ts'
import { resourceReaders } from './resource-readers.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import type { Resource } from '../../engine/model/resource.ts'

/** Reads an entity set. The first segment of the path is the service root. */
export function readSetOperation(resource: Resource, summary: string, rule: string): Operation {
  const { parameters } = resourceReaders.set
  return { ...common(resource), summary, rule, parameters, responseKind: 'set' }
}

/** Reads one entity by its key: `Set(key)`. */
export function readEntityOperation(resource: Resource, summary: string, rule: string): Operation {
  const { parameters } = resourceReaders.record
  return { ...common(resource), summary, rule, parameters, responseKind: 'one' }
}

function common(resource: Resource) {
  const scope = scopeOfResource(resource)
  return { scope, resource, input: null, body: 'none', handle } as const
}

const handle: Handler = (request, api) => {
  const resolved = resolvePath(serviceSchema, request.path)
  if (resolved === null) throw notFoundError(message('thisUrl'))
  return resourceHandler(serviceSchema, resolved)(request, api)
}
