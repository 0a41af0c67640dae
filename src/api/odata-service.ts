// What a service root answers at addresses that are no rows of the route table (OData 4.01 part 2, 4).
import { rootOf, segmentsOf } from '#api/odata-address.ts'
import { readsMetadata, readsService } from '#api/read-service.ts'
import { countsSet, readsEntity, readsSet } from '#api/read-set.ts'
import type { Handler } from '#api/operation.ts'
import type { Resource } from '#model/resource.ts'
import type { Schema } from '#model/schema.ts'
import type { PathSegment } from '#odata/resource-path.ts'

/** The work behind an address below one of the roots, which all serve every set; null where there is none. */
export const serviceOf = (
  schema: Schema,
  roots: readonly string[],
): ((path: string) => Handler | null) => {
  const sets = new Map(schema.resources.map((one) => [one.wire.toLowerCase(), readsOf(one)]))
  const [service, metadata] = [readsService(schema), readsMetadata(schema)]
  return (path) => {
    if (!roots.includes(rootOf(path).toLowerCase())) return null
    const segments = segmentsOf(path)
    const [first] = segments
    if (first === undefined) return service
    if (first.kind === '$metadata') return metadata
    const reads = first.kind === 'name' ? sets.get(first.name.toLowerCase()) : undefined
    return reads?.[targetOf(segments)] ?? null
  }
}

type Target = 'set' | 'entity' | 'count' | 'other'

const targetOf = ([set, behind, ...more]: readonly PathSegment[]): Target => {
  if (set?.kind !== 'name' || more.length > 0) return 'other'
  const hasKey = set.keys.length > 0
  if (behind === undefined) return hasKey ? 'entity' : 'set'
  if (hasKey) return 'other'
  if (behind.kind === '$count') return 'count'
  return behind.kind === 'name' && behind.keys.length === 0 ? 'entity' : 'other'
}

const readsOf = (resource: Resource): Partial<Record<Target, Handler>> => {
  const described = { summary: `Read ${resource.wire}`, rule: '4.3.1' }
  return {
    set: readsSet(resource, described).handle,
    entity: readsEntity(resource, described).handle,
    count: countsSet(resource, described).handle,
  }
}
