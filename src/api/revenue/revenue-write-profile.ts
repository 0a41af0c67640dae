// Write profile of revenue: lenient JSON and XML, and replies as specified (interface 4.1).
import { devHeaders } from '../operation.ts'
import type { Manner } from '../write-pipeline/write.ts'
import { revenue } from '../../model/revenue.ts'
import { revenuesById } from '../../store/revenue/revenues.ts'
import { formatFor } from '../../engine/formats/negotiation/negotiate.ts'
import { writeRecords, writeResults } from '../../engine/formats/write/write-records.ts'

export const revenueManner: Manner = {
  resource: revenue,
  scope: 'revenue:write',
  isExact: false,
  printerFor: (request) => {
    const format = formatFor(request.header('accept'))
    const printed = { resource: revenue, dates: 'midnight', format } as const
    return {
      contentType: `application/${format}; charset=utf-8`,
      headers: devHeaders,
      records: (records, isList) => writeRecords(records, { ...printed, isList }),
      results: (entries) => writeResults(entries, printed),
    }
  },
  current: async (transaction, keys) => {
    const records = await revenuesById(transaction, keys.map(Number))
    return keys.flatMap((key) => {
      const record = records.get(Number(key))
      return record === undefined ? [] : { ...record }
    })
  },
}
