// Write profile of revenue: lenient JSON and XML, and replies as specified (interface 4.1).
import { devHeaders } from '../operation.ts'
import type { ResponseSerializer, WriteProfile } from '../write-pipeline/record-writes.ts'
import { revenue } from '../../model/revenue.ts'
import { findRevenues } from '../../store/revenue/revenues.ts'
import { negotiateFormat, type Format } from '../../engine/formats/negotiation/negotiate.ts'
import { listWriter, serializeListResults, serializeRecord } from '../../engine/formats/write/record-serializer.ts'

export const revenueWriteProfile: WriteProfile = {
  resource: revenue,
  scope: 'revenue:write',
  hasODataSemantics: false,
  serializerFor: ({ request }) => serializers[negotiateFormat(request.header('accept'))],
  findCurrent: async (transaction, keys) => {
    const records = await findRevenues(transaction, keys.map(Number))
    return keys.flatMap((key) => records.get(Number(key)) ?? []).map((record) => ({ ...record }))
  },
}

function createSerializer(format: Format): ResponseSerializer {
  const writeOptions = { resource: revenue, dates: 'midnight', format } as const
  const contentType = `application/${format}; charset=utf-8`
  return {
    contentType,
    listContentType: contentType,
    headers: devHeaders,
    serializeRecord: (record) => serializeRecord(record, writeOptions),
    listWriter: (length) => listWriter(length, writeOptions),
    serializeResults: (entries) => serializeListResults(entries, writeOptions),
  }
}

/** Created once, because the functions that write a record are cached by the options object. */
const serializers = { json: createSerializer('json'), xml: createSerializer('xml') }
