// Operations for the route table: entity sets and entities by key (interface 4.3).
import { notFoundError } from './read-request.ts'
import { resolvePath } from './resource-url.ts'
import type { Handler, Operation } from '../operation.ts'
import { resourceReaders, resourceHandler, scopeOfResource } from './read-resource.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import type { Resource } from '../../engine/model/resource.ts'

type SetReadDescription = Pick<Operation, 'summary' | 'rule'>

/** Reads an entity set. The first segment of the path is the service root. */
export function readSetOperation(resource: Resource, description: SetReadDescription): Operation {
  return {
    ...operation(resource, description),
    parameters: resourceReaders.set.parameters,
    responseKind: 'set',
  }
}

/** Reads one entity by its key: `Set(key)`. */
export function readEntityOperation(
  resource: Resource,
  description: SetReadDescription,
): Operation {
  return {
    ...operation(resource, description),
    parameters: resourceReaders.record.parameters,
    responseKind: 'one',
  }
}

function operation(resource: Resource, description: SetReadDescription) {
  return {
    ...description,
    scope: scopeOfResource(resource),
    resource,
    input: null,
    body: 'none' as const,
    handle,
  }
}

const handle: Handler = (request, api) => {
  const address = resolvePath(serviceSchema, request.path)
  if (address === null) throw notFoundError('thisUrl')
  return resourceHandler(serviceSchema, address)(request, api)
}
