// Named periods of the revenue chart; open-ended ones end yesterday, as today is incomplete.
import { firstOfMonth, lastOfMonth, mondayOf, plusDays, plusMonths } from '../../api/days.ts'
import type { Per } from '../../api/revenue.ts'

export interface PresetSpan {
  readonly per: Per
  readonly from: string
  readonly to: string
}

export type PresetName =
  | 'days'
  | 'thisMonth'
  | 'lastMonth'
  | 'weeks'
  | 'months'
  | 'thisYear'
  | 'lastYear'

export const presetNames: readonly PresetName[] = [
  'days',
  'thisMonth',
  'lastMonth',
  'weeks',
  'months',
  'thisYear',
  'lastYear',
]

/** Default per unit. */
export const usualPreset: Readonly<Record<Per, PresetName>> = {
  day: 'days',
  week: 'weeks',
  month: 'months',
}

export function spanOf(name: PresetName, today: string): PresetSpan {
  return spans[name](today)
}

function yesterdayOf(today: string): string {
  return plusDays(today, -1)
}

/** On the first day of a month or year the range is today alone. */
function soFar(from: string, today: string) {
  return {
    from,
    to: today === from ? today : yesterdayOf(today),
  }
}

function yearOf(today: string): number {
  return Number(today.slice(0, 4))
}

const spans: Readonly<Record<PresetName, (today: string) => PresetSpan>> = {
  days: (today) => ({ per: 'day', from: plusDays(today, -30), to: yesterdayOf(today) }),
  thisMonth: (today) => ({ per: 'day', ...soFar(firstOfMonth(today), today) }),
  lastMonth: (today) => {
    const from = plusMonths(firstOfMonth(today), -1)
    return { per: 'day', from, to: lastOfMonth(from) }
  },
  weeks: (today) => {
    const to = yesterdayOf(today)
    return { per: 'week', from: mondayOf(plusDays(to, -84)), to }
  },
  months: (today) => {
    const to = yesterdayOf(today)
    return { per: 'month', from: plusMonths(firstOfMonth(to), -11), to }
  },
  thisYear: (today) => ({ per: 'month', ...soFar(`${yearOf(today)}-01-01`, today) }),
  lastYear: (today) => ({
    per: 'month',
    from: `${yearOf(today) - 1}-01-01`,
    to: `${yearOf(today) - 1}-12-31`,
  }),
}

/** The preset that equals the range, if any. */
export function presetAt(span: PresetSpan, today: string): PresetName | null {
  return (
    presetNames.find((name) => {
      const { per, from, to } = spanOf(name, today)
      return per === span.per && from === span.from && to === span.to
    }) ?? null
  )
}
