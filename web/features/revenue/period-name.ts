// Names of days, weeks and months.
import { weekOf } from '../../api/days.ts'
import { dayText } from '../../api/format.ts'
import type { Per } from '../../api/revenue.ts'
import type { Language } from '../../i18n/language.ts'

/** For a table row. */
export function periodName(start: string, per: Per, language: Language, week: string): string {
  if (per === 'week') return `${week} ${weekOf(start)}, ${start.slice(0, 4)}`
  return dayText(start, language, per === 'month' ? 'monthYear' : 'short')
}

/** For an axis, short. */
export function periodTick(start: string, per: Per, language: Language, week: string): string {
  if (per === 'week') return `${week} ${weekOf(start)}`
  return dayText(start, language, per === 'month' ? 'month' : 'dayMonth')
}
