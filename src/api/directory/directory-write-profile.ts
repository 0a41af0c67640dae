// Write profile of the directory: strict JSON, and replies as a read would give them (ADR 0028).
import { writeResponseFormat } from '../odata/response.ts'
import { planOptionsFor } from '../odata/read-resource.ts'
import type { WriteProfile, ResponseSerializer } from '../write-pipeline/record-writes.ts'
import type { WriteRequest } from '../write-pipeline/handle-write.ts'
import type { Scope } from '../../auth/scopes.ts'
import { forEachChunk } from '../../lib/yield-to-event-loop.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import { etagHeader, etagOf } from '../../engine/model/etag.ts'
import type { RecordKey, Resource } from '../../engine/model/resource.ts'
import { planRead } from '../../engine/planner/plan-read.ts'
import { findRecords, type StoredRecord } from '../../store/directory/directory-records.ts'
import { entityBody, withEtag } from '../../engine/formats/write/envelope.ts'
import { recordUrl } from '../../engine/formats/write/record-url.ts'
import {
  serializeRecords,
  serializeListResults,
  type OutputRecord,
} from '../../engine/formats/write/record-serializer.ts'

export const directoryScope: Scope = 'directory:write'

export function directoryWriteProfile(resource: Resource): WriteProfile {
  return {
    resource,
    scope: directoryScope,
    hasODataSemantics: true,
    serializerFor: (write) => createSerializer(resource, write),
    findCurrent: async (transaction, keys) => {
      const found = new Map<RecordKey, StoredRecord>()
      await forEachChunk(keys, chunkKeys, async (chunk) => {
        for (const [key, record] of await findRecords(transaction, resource, chunk))
          found.set(key, record)
      })
      return keys.flatMap((key) => {
        const record = found.get(key)
        return record === undefined ? [] : [record]
      })
    },
  }
}

const chunkKeys = 1000

/** Serializes as a read without options, by the same caller at the same service root. */
function createSerializer(
  resource: Resource,
  { request, caller }: WriteRequest,
): ResponseSerializer {
  const { recordFormat, headers: all } = writeResponseFormat(request)
  const { 'Content-Type': contentType = '', ...headers } = all
  const plan = planRead(resource, new Map(), {
    ...planOptionsFor(serviceSchema, request, caller),
    // Without options no expression uses the current time.
    clock: () => 0,
    recordFormat,
  })
  const format = { resource, select: plan.select, dates: 'date', format: 'json' } as const
  return {
    contentType,
    headers,
    recordHeaders: ({ record, isNew }) => ({
      ...etagHeader(etagOf(resource, record)),
      ...(isNew
        ? locationHeaders(`${recordFormat.root}/${recordUrl(resource, keyOf(resource, record))}`)
        : {}),
    }),
    serializeRecords: async (records, isList) => {
      const text = await serializeRecords(records, { ...format, isList })
      const [only] = records
      if (isList || only === undefined || typeof text !== 'string') return text
      return entityBody(plan, withEtag(recordFormat, text, etagOf(resource, only)))
    },
    serializeResults: (entries) => serializeListResults(entries, format),
  }
}

function keyOf({ key }: Resource, record: OutputRecord) {
  return key.map((name) => record[name] ?? null)
}

function locationHeaders(address: string) {
  return { Location: address, 'OData-EntityId': address }
}
