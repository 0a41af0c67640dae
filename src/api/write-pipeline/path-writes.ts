// The writes that a resource path supports.
import { resolvePath } from '../odata/resource-url.ts'
import type { DirectoryWrites } from '../directory/directory-operations.ts'
import type { Operation } from '../operation.ts'
import type { Method } from '../../http/request.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import type { Resource } from '../../engine/model/resource.ts'

/** Operations by method; empty for a path that is read-only: a relation, a field, a read-only set. */
export function findWriteOperations(
  path: string,
  writes: ReadonlyMap<Resource, DirectoryWrites>,
): Partial<Record<Method, Operation>> {
  const address = resolvePath(serviceSchema, path)
  const isRecords = address?.via === null && address.field === null && address.filters.length === 0
  if (!isRecords || address.resultKind !== 'records') return {}
  const found = writes.get(address.resource)
  if (found === undefined) return {}
  return address.isSingle
    ? { PATCH: found.update, DELETE: found.delete }
    : { POST: found.insert, PUT: found.save }
}
