// Named periods of the revenue chart; open-ended ones end yesterday, as today is incomplete.
import { getFirstOfMonth, getLastOfMonth, getMonday, addDays, addMonths } from '../../api/days.ts'
import type { PeriodUnit } from '../../api/revenue.ts'
import { periodParams } from '../../app/search-params.ts'

export interface PresetRange {
  readonly per: PeriodUnit
  readonly from: string
  readonly to: string
}

export const defaultPreset: Readonly<Record<PeriodUnit, PresetName>> = { day: 'days', week: 'weeks', month: 'months' }

/** On the first day of a month or year the range is today alone. */
function untilYesterday(from: string, today: string) {
  return { from, to: today === from ? today : addDays(today, -1) }
}

function getYear(today: string): number {
  return Number(today.slice(0, 4))
}

const presetRanges = {
  days: (today) => ({ per: 'day', from: addDays(today, -30), to: addDays(today, -1) }),
  thisMonth: (today) => ({ per: 'day', ...untilYesterday(getFirstOfMonth(today), today) }),
  lastMonth: (today) => {
    const from = addMonths(getFirstOfMonth(today), -1)
    return { per: 'day', from, to: getLastOfMonth(from) }
  },
  weeks: (today) => {
    const to = addDays(today, -1)
    return { per: 'week', from: getMonday(addDays(to, -84)), to }
  },
  months: (today) => {
    const to = addDays(today, -1)
    return { per: 'month', from: addMonths(getFirstOfMonth(to), -11), to }
  },
  thisYear: (today) => ({ per: 'month', ...untilYesterday(`${getYear(today)}-01-01`, today) }),
  lastYear: (today) => ({ per: 'month', from: `${getYear(today) - 1}-01-01`, to: `${getYear(today) - 1}-12-31` }),
} satisfies Record<string, (today: string) => PresetRange>

export type PresetName = keyof typeof presetRanges

export const presetNames = Object.keys(presetRanges) as PresetName[]

export function getPresetRange(name: PresetName, today: string): PresetRange {
  return presetRanges[name](today)
}

export function findPreset(span: PresetRange, today: string): PresetName | null {
  return (
    presetNames.find((name) => {
      const { per, from, to } = getPresetRange(name, today)
      return per === span.per && from === span.from && to === span.to
    }) ?? null
  )
}

/** The parameters that show one period of the chart: a day in the grid, a week or a month by day. */
export function getPeriodSearch(start: string, per: PeriodUnit, last: string) {
  if (per === 'day') return { vis: 'dager', dag: start } as const
  const end = per === 'week' ? addDays(start, 6) : getLastOfMonth(start)
  return { per: periodParams.day, fra: start, til: end < last ? end : last } as const
}
