// What a service root answers at addresses that are no rows of the route table (OData 4.01 part 2, 4).
import type { DirectoryWrites } from '#api/directory-operations.ts'
import { rootOf, segmentsOf } from '#api/odata-address.ts'
import { readsMetadata, readsService } from '#api/read-service.ts'
import { countsSet, readsEntity, readsSet } from '#api/read-set.ts'
import type { Handler } from '#api/operation.ts'
import type { Method } from '#http/request.ts'
import type { Resource } from '#model/resource.ts'
import type { Schema } from '#model/schema.ts'
import type { PathSegment } from '#odata/resource-path.ts'

/** The work behind an address below one of the roots, which all serve every set; null where there is none. */
export const serviceOf = (
  schema: Schema,
  roots: readonly string[],
  writes: ReadonlyMap<Resource, DirectoryWrites>,
): ((path: string) => Handlers | null) => {
  const sets = new Map(
    schema.resources.map((one) => [one.wire.toLowerCase(), handlersOf(one, writes.get(one))]),
  )
  const [service, metadata] = [{ GET: readsService(schema) }, { GET: readsMetadata(schema) }]
  return (path) => {
    if (!roots.includes(rootOf(path).toLowerCase())) return null
    const segments = segmentsOf(path)
    const [first] = segments
    if (first === undefined) return service
    if (first.kind === '$metadata') return metadata
    const handlers = first.kind === 'name' ? sets.get(first.name.toLowerCase()) : undefined
    return handlers?.[targetOf(segments)] ?? null
  }
}

/** By method. */
export type Handlers = Partial<Record<Method, Handler>>

type Target = 'set' | 'entity' | 'count' | 'other'

const targetOf = ([set, behind, ...more]: readonly PathSegment[]): Target => {
  if (set?.kind !== 'name' || more.length > 0) return 'other'
  const hasKey = set.keys.length > 0
  if (behind === undefined) return hasKey ? 'entity' : 'set'
  if (hasKey) return 'other'
  if (behind.kind === '$count') return 'count'
  return behind.kind === 'name' && behind.keys.length === 0 ? 'entity' : 'other'
}

const handlersOf = (
  resource: Resource,
  writes: DirectoryWrites | undefined,
): Partial<Record<Target, Handlers>> => {
  const described = { summary: `Read ${resource.wire}`, rule: '4.3.1' }
  return {
    set: {
      GET: readsSet(resource, described).handle,
      ...(writes && { POST: writes.insert.handle, PUT: writes.save.handle }),
    },
    entity: {
      GET: readsEntity(resource, described).handle,
      ...(writes && { PATCH: writes.change.handle, DELETE: writes.remove.handle }),
    },
    count: { GET: countsSet(resource, described).handle },
  }
}
