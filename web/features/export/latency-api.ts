// How long lines waited after their approval, by the day or week of it.
import { queryOptions } from '@tanstack/react-query'
import { ask } from '../../api/client.ts'
import { daysFrom, mondayOf, plusDays } from '../../api/days.ts'
import { everyUnlessLive } from '../../api/live.ts'

export type LagPer = 'day' | 'week'

/** Microseconds; null where nothing came so far. */
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
  /** The first day of it. */
  readonly start: string
}

export interface ExportLag {
  /** The first day that all lines were looked at of. */
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

/** How long the slowest of its lines waited, or waits still; null where none is over. */
export function slowest({ exported, waiting, longestWaiting }: Lags): number | null {
  if (waiting === 0) return exported.longest
  return Math.max(exported.longest ?? 0, longestWaiting)
}

/** Every day or week of the span, those without lines too: a gap is a gap. */
export function startsOf({ from, to, per }: Omit<LagAsked, 'destination'>): readonly string[] {
  return per === 'day'
    ? daysFrom(from, to)
    : daysFrom(mondayOf(from), to).filter((day) => mondayOf(day) === day)
}

/** A month of days, or a quarter of weeks. */
export function usualLagSpan(per: LagPer, today: string) {
  return per === 'day'
    ? { from: plusDays(today, -29), to: today }
    : { from: mondayOf(plusDays(today, -84)), to: today }
}
