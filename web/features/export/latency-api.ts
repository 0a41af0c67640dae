// Latency: waiting time after approval, by day or week.
import type { LatencyFigures } from '../../../src/app/contract/export.ts'
import { listDays, getMonday, addDays } from '../../api/days.ts'
import { pollUnlessLive } from '../../api/live.ts'
import { replyQuery } from '../../api/reply-query.ts'

export type LatencyPeriodUnit = 'day' | 'week'

export interface LatencyQuery {
  readonly destination: number
  readonly per: LatencyPeriodUnit
  readonly from: string
  readonly to: string
}

export function latencyQuery(query: LatencyQuery) {
  return replyQuery(['material', 'export', 'latency', query], 'exportLatency', {
    params: { ...query },
    staleTime: 60_000,
    refetchInterval: pollUnlessLive(300_000),
  })
}

/** Longest wait, including lines that still wait; null when there are none. */
export function getLongestWait({ exported, waiting, longestWaiting }: LatencyFigures): number | null {
  if (waiting === 0) return exported.longest
  return Math.max(exported.longest ?? 0, longestWaiting)
}

/** Every period of the range, also those without lines. */
export function listPeriodStarts({ from, to, per }: Omit<LatencyQuery, 'destination'>): readonly string[] {
  return per === 'day' ? listDays(from, to) : listDays(getMonday(from), to).filter((day) => getMonday(day) === day)
}

/** 30 days, or 13 weeks. */
export function getDefaultRange(per: LatencyPeriodUnit, today: string) {
  return per === 'day' ? { from: addDays(today, -29), to: today } : { from: getMonday(addDays(today, -84)), to: today }
}
