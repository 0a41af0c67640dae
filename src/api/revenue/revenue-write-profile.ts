// Write profile of revenue: lenient JSON and XML, and replies as specified (interface 4.1).
import { devHeaders } from '../operation.ts'
import type { WriteProfile } from '../write-pipeline/record-writes.ts'
import { revenue } from '../../model/revenue.ts'
import { findRevenues } from '../../store/revenue/revenues.ts'
import { negotiateFormat } from '../../engine/formats/negotiation/negotiate.ts'
import { serializeRecords, serializeListResults } from '../../engine/formats/write/record-serializer.ts'

export const revenueWriteProfile: WriteProfile = {
  resource: revenue,
  scope: 'revenue:write',
  hasODataSemantics: false,
  serializerFor: ({ request }) => {
    const format = negotiateFormat(request.header('accept'))
    const writeOptions = { resource: revenue, dates: 'midnight', format } as const
    const contentType = `application/${format}; charset=utf-8`
    return {
      contentType,
      listContentType: contentType,
      headers: devHeaders,
      serializeRecords: (records, isList) => serializeRecords(records, { ...writeOptions, isList }),
      serializeResults: (entries) => serializeListResults(entries, writeOptions),
    }
  },
  findCurrent: async (transaction, keys) => {
    const records = await findRevenues(transaction, keys.map(Number))
    return keys.flatMap((key) => {
      const record = records.get(Number(key))
      return record === undefined ? [] : { ...record }
    })
  },
}
