// Latency: waiting time after approval, by day or week.
import { queryOptions } from '@tanstack/react-query'
import { get } from '../../api/client.ts'
import { listDays, getMonday, addDays } from '../../api/days.ts'
import { pollUnlessLive } from '../../api/live.ts'

export type LatencyPeriodUnit = 'day' | 'week'

/** Microseconds; null when there are no lines. */
interface LatencySummary {
  readonly count: number
  readonly median: number | null
  readonly longest: number | null
}

export interface LatencyFigures {
  readonly count: number
  readonly fetched: LatencySummary
  readonly exported: LatencySummary
  readonly unfetched: number
  readonly waiting: number
  readonly longestWaiting: number
}

export interface LatencyPeriod extends LatencyFigures {
  /** First day of the period. */
  readonly start: string
}

export interface ExportLatency {
  /** First day that the figures cover. */
  readonly since: string
  readonly all: LatencyFigures
  readonly periods: readonly LatencyPeriod[]
}

export interface LatencyQuery {
  readonly destination: number
  readonly per: LatencyPeriodUnit
  readonly from: string
  readonly to: string
}

export function latencyQuery({ destination, per, from, to }: LatencyQuery) {
  return queryOptions({
    queryKey: ['material', 'export', 'lag', destination, per, from, to],
    queryFn: () => get<ExportLatency>('/app/data/eksport/ventetid', { destination, per, from, to }),
    staleTime: 60_000,
    refetchInterval: pollUnlessLive(300_000),
  })
}

/** Longest wait, including lines that still wait; null when there are none. */
export function getLongestWait({
  exported,
  waiting,
  longestWaiting,
}: LatencyFigures): number | null {
  if (waiting === 0) return exported.longest
  return Math.max(exported.longest ?? 0, longestWaiting)
}

/** Every period of the range, also those without lines. */
export function listPeriodStarts({
  from,
  to,
  per,
}: Omit<LatencyQuery, 'destination'>): readonly string[] {
  return per === 'day'
    ? listDays(from, to)
    : listDays(getMonday(from), to).filter((day) => getMonday(day) === day)
}

/** 30 days, or 13 weeks. */
export function getDefaultRange(per: LatencyPeriodUnit, today: string) {
  return per === 'day'
    ? { from: addDays(today, -29), to: today }
    : { from: getMonday(addDays(today, -84)), to: today }
}
