// Rows of the route table that are addresses of the service: entity sets, and records by their keys (interface 4.3).
import { nothingThere } from './read-request.ts'
import { addressOf } from './resource-url.ts'
import type { Handler, Operation } from '../operation.ts'
import { manners, readsAddress, scopeOfResource } from './read-resource.ts'
import { dagsverk } from '../../model/service-schema.ts'
import type { Resource } from '../../engine/model/resource.ts'

type Described = Pick<Operation, 'summary' | 'rule'>

/** A resource as an entity set. The service root that was called is the first segment of the address. */
export function readsSet(resource: Resource, described: Described): Operation {
  return {
    ...operation(resource, described),
    parameters: manners.set.parameters,
    answer: 'set',
  }
}

/** One record by its key: `Set(key)`. */
export function readsEntity(resource: Resource, described: Described): Operation {
  return {
    ...operation(resource, described),
    parameters: manners.record.parameters,
    answer: 'one',
  }
}

function operation(resource: Resource, described: Described) {
  return {
    ...described,
    scope: scopeOfResource(resource),
    resource,
    input: null,
    body: 'none' as const,
    handle,
  }
}

const handle: Handler = (request, serving) => {
  const address = addressOf(dagsverk, request.path)
  if (address === null) throw nothingThere('theAddress')
  return readsAddress(dagsverk, address)(request, serving)
}
