// Names of days, weeks and months.
import { getIsoWeek } from '../../api/days.ts'
import { formatDay } from '../../api/format.ts'
import type { PeriodUnit } from '../../api/revenue.ts'
import type { Language } from '../../i18n/language.ts'

/** For a table row. */
export function formatPeriod(start: string, per: PeriodUnit, language: Language, week: string): string {
  if (per === 'week') return `${week} ${getIsoWeek(start)}, ${start.slice(0, 4)}`
  return formatDay(start, language, per === 'month' ? 'monthYear' : 'short')
}

/** For an axis, short. */
export function formatPeriodTick(start: string, per: PeriodUnit, language: Language, week: string): string {
  if (per === 'week') return `${week} ${getIsoWeek(start)}`
  return formatDay(start, language, per === 'month' ? 'month' : 'dayMonth')
}
