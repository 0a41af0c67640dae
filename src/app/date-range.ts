// Date ranges of screens: parsing, and the comparison period a year before.
import { plusDays, weekdayOf } from '../lib/calendar.ts'
import { parseDateTime } from '../lib/date-time.ts'
import { fieldError } from '../errors/api-error.ts'
import type { RevenueDayRange } from '../store/revenue/revenue-sums.ts'

/** Parses the date of a parameter or field. Throws `InvalidDate`. */
export function parseDay(text: string | null | undefined, name: string): string {
  const isWritten = /^\d{4}-\d{2}-\d{2}$/.test(text ?? '')
  const read = isWritten ? parseDateTime(text ?? '') : null
  if (read === null) throw fieldError('InvalidDate', name)
  return read.date
}

/** The first day of the day, week or month that a day is in; a week begins on Monday. */
export const periodStarts = {
  day: (day: string) => day,
  week: (day: string) => plusDays(day, -weekdayOf(day)),
  month: (day: string) => `${day.slice(0, 7)}-01`,
} as const

/** The same weekdays a year before: 52 weeks. */
export function weeksBefore({ from, to }: RevenueDayRange): RevenueDayRange {
  return { from: plusDays(from, -364), to: plusDays(to, -364) }
}

/** The same dates a year before; 29 February becomes the 28th. */
export function yearBefore({ from, to }: RevenueDayRange): RevenueDayRange {
  return { from: lastYear(from), to: lastYear(to) }
}

function lastYear(day: string): string {
  const date = `${String(Number(day.slice(0, 4)) - 1)}${day.slice(4)}`
  return date.endsWith('-02-29') ? date.replace('-29', '-28') : date
}
