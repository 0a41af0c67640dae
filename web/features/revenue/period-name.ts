// Names of days, weeks and months.
import { getIsoWeek } from '../../api/days.ts'
import type { Formatter } from '../../api/format.ts'
import type { PeriodUnit } from '../../api/revenue.ts'

/** For a table row. */
export function formatPeriod(start: string, per: PeriodUnit, format: Formatter, week: string): string {
  if (per === 'week') return `${week} ${getIsoWeek(start)}, ${start.slice(0, 4)}`
  return format.day(start, per === 'month' ? 'monthYear' : 'short')
}

/** For an axis, short. */
export function formatPeriodTick(start: string, per: PeriodUnit, format: Formatter, week: string): string {
  if (per === 'week') return `${week} ${getIsoWeek(start)}`
  return format.day(start, per === 'month' ? 'month' : 'dayMonth')
}
