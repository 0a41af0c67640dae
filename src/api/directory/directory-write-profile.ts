// Write profile of the directory: strict JSON, and replies as a read would give them (ADR 0035).
import { answeringWrite } from '../odata/response.ts'
import { readingOf } from '../odata/read-resource.ts'
import type { Manner, Printer } from '../write-pipeline/write.ts'
import type { Admitted } from '../operation.ts'
import type { Scope } from '../../auth/scopes.ts'
import type { Request } from '../../http/request.ts'
import { inSlices } from '../../lib/yield-to-event-loop.ts'
import { dagsverk } from '../../model/service-schema.ts'
import { etagOf } from '../../engine/model/etag.ts'
import type { RecordKey, Resource } from '../../engine/model/resource.ts'
import { planRead } from '../../engine/planner/plan-read.ts'
import { recordsByKey, type StoredRecord } from '../../store/directory/directory-records.ts'
import { entityBody, withEtag } from '../../engine/formats/write/envelope.ts'
import { recordAddress } from '../../engine/formats/write/record-address.ts'
import {
  writeRecords,
  writeResults,
  type WrittenRecord,
} from '../../engine/formats/write/write-records.ts'

export const directoryScope: Scope = 'directory:write'

export function directoryManner(resource: Resource): Manner {
  return {
    resource,
    scope: directoryScope,
    isExact: true,
    printerFor: (request, admitted) => printerFor(resource, request, admitted),
    current: async (transaction, keys) => {
      const found = new Map<RecordKey, StoredRecord>()
      await inSlices(keys, sliceKeys, async (slice) => {
        for (const [key, record] of await recordsByKey(transaction, resource, slice))
          found.set(key, record)
      })
      return keys.flatMap((key) => {
        const record = found.get(key)
        return record === undefined ? [] : [record]
      })
    },
  }
}

const sliceKeys = 1000

/** Serializes as a read without options, by the same caller at the same service root. */
function printerFor(resource: Resource, request: Request, admitted: Admitted): Printer {
  const { form, headers } = answeringWrite(request)
  const plan = planRead(resource, new Map(), {
    ...readingOf(dagsverk, request, admitted.caller),
    // Without options no expression uses the current time.
    clock: () => 0,
    form,
  })
  const printed = { resource, select: plan.select, dates: 'date', format: 'json' } as const
  return {
    contentType: headers['Content-Type'] ?? '',
    headers,
    headersOf: ({ record, isNew }) => ({
      ETag: etagOf(resource, record) ?? '',
      ...(isNew ? located(`${form.root}/${recordAddress(resource, keyOf(resource, record))}`) : {}),
    }),
    records: async (records, isList) => {
      const text = await writeRecords(records, { ...printed, isList })
      const [only] = records
      if (isList || only === undefined || typeof text !== 'string') return text
      return entityBody(plan, withEtag(form, text, etagOf(resource, only) ?? ''))
    },
    results: (entries) => writeResults(entries, printed),
  }
}

function keyOf({ key }: Resource, record: WrittenRecord) {
  return key.map((name) => record[name] ?? null)
}

function located(address: string) {
  return { Location: address, 'OData-EntityId': address }
}
