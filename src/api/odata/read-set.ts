// Operations for the route table: entity sets and entities by key (interface 4.3).
import { nothingThere } from './read-request.ts'
import { addressOf } from './resource-url.ts'
import type { Handler, Operation } from '../operation.ts'
import { manners, readsAddress, scopeOfResource } from './read-resource.ts'
import { dagsverk } from '../../model/service-schema.ts'
import type { Resource } from '../../engine/model/resource.ts'

type Described = Pick<Operation, 'summary' | 'rule'>

/** Reads an entity set. The first segment of the path is the service root. */
export function readsSet(resource: Resource, described: Described): Operation {
  return {
    ...operation(resource, described),
    parameters: manners.set.parameters,
    answer: 'set',
  }
}

/** Reads one entity by its key: `Set(key)`. */
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
