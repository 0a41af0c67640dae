// Latency: waiting time after approval, by day or week.
import { queryOptions } from '@tanstack/react-query'
import { ask } from '../../api/client.ts'
import { daysFrom, mondayOf, plusDays } from '../../api/days.ts'
import { everyUnlessLive } from '../../api/live.ts'

export type LagPer = 'day' | 'week'

/** Microseconds; null when there are no lines. */
interface Lag {
  readonly count: number
  readonly median: number | null
  readonly longest: number | null
}

export interface Lags {
  readonly count: number
  readonly fetched: Lag
  readonly exported: Lag
  readonly unfetched: number
  readonly waiting: number
  readonly longestWaiting: number
}

export interface LagPeriod extends Lags {
  /** First day of the period. */
  readonly start: string
}

export interface ExportLag {
  /** First day that the figures cover. */
  readonly since: string
  readonly all: Lags
  readonly periods: readonly LagPeriod[]
}

export interface LagAsked {
  readonly destination: number
  readonly per: LagPer
  readonly from: string
  readonly to: string
}

export function lagQuery({ destination, per, from, to }: LagAsked) {
  return queryOptions({
    queryKey: ['material', 'export', 'lag', destination, per, from, to],
    queryFn: () => ask<ExportLag>('/app/data/eksport/ventetid', { destination, per, from, to }),
    staleTime: 60_000,
    refetchInterval: everyUnlessLive(300_000),
  })
}

/** Longest wait, including lines that still wait; null when there are none. */
export function slowest({ exported, waiting, longestWaiting }: Lags): number | null {
  if (waiting === 0) return exported.longest
  return Math.max(exported.longest ?? 0, longestWaiting)
}

/** Every period of the range, also those without lines. */
export function startsOf({ from, to, per }: Omit<LagAsked, 'destination'>): readonly string[] {
  return per === 'day'
    ? daysFrom(from, to)
    : daysFrom(mondayOf(from), to).filter((day) => mondayOf(day) === day)
}

/** 30 days, or 13 weeks. */
export function usualLagSpan(per: LagPer, today: string) {
  return per === 'day'
    ? { from: plusDays(today, -29), to: today }
    : { from: mondayOf(plusDays(today, -84)), to: today }
}
