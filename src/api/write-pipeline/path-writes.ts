// The writes that a resource path supports.
import { resolvePath } from '../odata/resource-url.ts'
import type { DirectoryWrites } from '../directory/directory-operations.ts'
import type { Operation } from '../operation.ts'
import { isRelatedCollection } from './related-inserts.ts'
import type { Method } from '../../http/request.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import type { Resource } from '../../engine/model/resource.ts'

/** The writes of sets, and the inserts behind relations to many, by the resource that is written. */
export interface WritesByResource {
  readonly sets: ReadonlyMap<Resource, DirectoryWrites>
  readonly relatedInserts: ReadonlyMap<Resource, Operation>
}

/** Operations by method; empty for a path that is read-only: a relation to one, a field, a read-only set. */
export function findWriteOperations(
  path: string,
  { sets, relatedInserts }: WritesByResource,
): Partial<Record<Method, Operation>> {
  const resolved = resolvePath(serviceSchema, path)
  if (resolved === null || resolved.resultKind !== 'records') return {}
  if (resolved.field !== null || resolved.complexProperty !== null || resolved.filters.length > 0) return {}
  if (resolved.via !== null) {
    const insert = isRelatedCollection(resolved) ? relatedInserts.get(resolved.resource) : undefined
    return insert === undefined ? {} : { POST: insert }
  }
  const found = sets.get(resolved.resource)
  if (found === undefined) return {}
  return resolved.isSingle
    ? { PATCH: found.update, PUT: found.replace, DELETE: found.delete }
    : { POST: found.insert, PUT: found.save }
}
