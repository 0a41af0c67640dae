// Revenue: overview, sums, cells, and saving cells.
import { useQuery } from '@tanstack/react-query'
import { getComparisonRule, getRangeInPreviousYear } from './days.ts'
import { replyQuery } from './reply-query.ts'
import { pollUnlessLive } from './live.ts'

export type PeriodUnit = 'day' | 'week' | 'month'

const fresh = { staleTime: 15_000, refetchInterval: pollUnlessLive(60_000) } as const

export const revenueOverviewQuery = replyQuery(['revenue', 'overview'], 'revenueOverview', fresh)

export function revenueSumsQuery(from: string, to: string, per: PeriodUnit) {
  return replyQuery(['revenue', 'sums', from, to, per], 'revenueSums', { params: { from, to, per }, ...fresh })
}

/** The sums of a period and of the one of last year that it is compared with, which are shown together. */
export function useComparedSums(from: string, to: string, per: PeriodUnit) {
  const rule = getComparisonRule(from, per)
  const sums = useQuery(revenueSumsQuery(from, to, per))
  const before = useQuery(revenueSumsQuery(...getRangeInPreviousYear(from, to, rule), per))
  return {
    data: sums.data && before.data && { sums: sums.data.sums, before: before.data.sums, rule, per, from, to },
    error: sums.error ?? before.error,
    refetch: () => Promise.all([sums.refetch(), before.refetch()]),
  }
}

export function revenueCellQuery(date: string, department: string) {
  return replyQuery(['revenue', 'cell', date, department], 'revenueCell', { params: { date, department } })
}
