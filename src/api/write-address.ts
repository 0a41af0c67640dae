// Which writes there are at an address of the service, and which record it names for them.
import { addressOf } from '#api/odata-address.ts'
import type { DirectoryWrites } from '#api/directory-operations.ts'
import type { Operation } from '#api/operation.ts'
import type { Method } from '#http/request.ts'
import { dagsverk } from '#model/dagsverk.ts'
import type { RecordKey, Resource } from '#model/resource.ts'

/** The operations by method; empty where nothing is written: a relation, a field, a set that is only read. */
export const writesAt = (
  path: string,
  writes: ReadonlyMap<Resource, DirectoryWrites>,
): Partial<Record<Method, Operation>> => {
  const address = addressOf(dagsverk, path)
  const isRecords = address?.via === null && address.field === null && address.filters.length === 0
  if (!isRecords || address.wants !== 'records') return {}
  const found = writes.get(address.resource)
  if (found === undefined) return {}
  return address.isOne
    ? { PATCH: found.change, DELETE: found.remove }
    : { POST: found.insert, PUT: found.save }
}

/** The key in the address, as the house holds it; null where what stands there can be none of the resource. */
export const recordKeyIn = (path: string, resource: Resource): RecordKey | null => {
  const [only, more] = addressOf(dagsverk, path)?.key ?? []
  const field = resource.fields[resource.key[0] ?? '']
  if (only === undefined || more !== undefined || field === undefined) return null
  if (only.name !== null && only.name.toLowerCase() !== field.wire.toLowerCase()) return null
  const { type, value } = only.value
  if (field.type === 'text') return type === 'text' ? value : null
  return type === 'number' && /^\d{1,15}$/.test(value) ? Number(value) : null
}
