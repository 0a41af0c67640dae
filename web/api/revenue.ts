// Revenue: overview, sums, cells, and saving cells.
import { queryOptions } from '@tanstack/react-query'
import { get } from './client.ts'
import { replyQuery } from './reply-query.ts'
import { pollUnlessLive } from './live.ts'

export type PeriodUnit = 'day' | 'week' | 'month'

const fresh = { staleTime: 15_000, refetchInterval: pollUnlessLive(60_000) } as const

export const revenueOverviewQuery = replyQuery(['revenue', 'overview'], 'revenueOverview', fresh)

export function revenueSumsQuery(from: string, to: string, per: PeriodUnit) {
  return queryOptions({
    queryKey: ['revenue', 'sums', from, to, per],
    queryFn: async () => (await get('revenueSums', { from, to, per })).sums,
    ...fresh,
  })
}

export function revenueCellQuery(date: string, department: string) {
  return replyQuery(['revenue', 'cell', date, department], 'revenueCell', { params: { date, department } })
}
