// What a service root answers at addresses that are no rows of the route table (OData 4.01 part 2, 4).
import { countsSet, readsEntity, readsSet } from '#api/read-set.ts'
import type { Operation } from '#api/operation.ts'
import { serviceAddress } from '#api/odata-address.ts'
import type { Resource } from '#model/resource.ts'
import type { Schema } from '#model/schema.ts'
import { finn } from '#odata/dialect.ts'
import { parseResourcePath } from '#odata/resource-path.ts'

/** The operations of one set. */
interface SetOperations {
  readonly set: Operation
  readonly entity: Operation
  readonly count: Operation
}

/** Every root serves every set of the schema, for reading; null where the address is none of theirs. */
export const serviceOf = (
  schema: Schema,
  roots: readonly string[],
): ((path: string) => Operation | null) => {
  const sets = new Map(schema.resources.map((one) => [one.wire.toLowerCase(), operationsOf(one)]))
  const operationAt = (path: string): Operation | null => {
    const address = serviceAddress(path)
    const found = address === null ? undefined : sets.get(address.set)
    if (address === null || found === undefined) return null
    if (!roots.includes(address.root.toLowerCase())) return null
    const { key, rest } = address
    if (key !== null && rest !== null) return null
    if (key === null && rest === null) return found.set
    return rest?.toLowerCase() === '$count' ? found.count : found.entity
  }
  return (path) => {
    const operation = operationAt(path)
    if (operation === null) refuseUnreadable(path, roots)
    return operation
  }
}

/** Of what has no answer, what cannot be read is 400 with its column, and what only the standard knows 501. */
const refuseUnreadable = (path: string, roots: readonly string[]): void => {
  const [, root = '', rest = ''] = /^\/+([^/]+)\/*(.*)$/s.exec(path) ?? []
  if (roots.includes(root.toLowerCase())) parseResourcePath(rest, finn)
}

const operationsOf = (resource: Resource): SetOperations => {
  const described = { summary: `Read ${resource.wire}`, rule: '4.3.1' }
  return {
    set: readsSet(resource, described),
    entity: readsEntity(resource, described),
    count: countsSet(resource, described),
  }
}
