// Write profile of the directory: strict JSON, and replies as a read would give them (ADR 0028).
import type { ApiContext } from '../operation.ts'
import { planRepresentation } from '../write-pipeline/representation.ts'
import type { WriteProfile, ResponseSerializer } from '../write-pipeline/record-writes.ts'
import type { WriteRequest } from '../write-pipeline/handle-write.ts'
import type { Scope } from '../../auth/scopes.ts'
import { etagHeader, etagOf } from '../../engine/model/etag.ts'
import type { Resource } from '../../engine/model/resource.ts'
import { findRecords } from '../../store/directory/directory-records.ts'
import { recordUrl } from '../../engine/formats/write/record-url.ts'
import { listWriter, serializeListResults, serializeRecord } from '../../engine/formats/write/record-serializer.ts'

export const directoryScope: Scope = 'directory:write'

export function directoryWriteProfile(resource: Resource): WriteProfile {
  return {
    resource,
    scope: directoryScope,
    hasODataSemantics: true,
    serializerFor: (write, api) => createSerializer(resource, write, api),
    findCurrent: async (transaction, keys) => {
      const found = await findRecords(transaction, resource, keys)
      return keys.map((key) => found.get(key)).filter((record) => record !== undefined)
    },
  }
}

/** Serializes as a read with the same options, by the same caller at the same service root. */
function createSerializer(resource: Resource, write: WriteRequest, { clock }: ApiContext): ResponseSerializer {
  const { root, format, serialize, ...representation } = planRepresentation(resource, write, clock)
  return {
    ...representation,
    recordHeaders: ({ record, isNew }) => {
      const key = resource.key.map((name) => record[name] ?? null)
      const url = `${root}/${recordUrl(resource, key)}`
      return { ...etagHeader(etagOf(resource, record)), ...(isNew ? { Location: url, 'OData-EntityId': url } : {}) }
    },
    serializeRecord: (record, transaction) =>
      record === undefined ? serializeRecord(record, format) : serialize(transaction, record),
    listWriter: (length) => listWriter(length, format),
    serializeResults: (entries) => serializeListResults(entries, format),
  }
}
