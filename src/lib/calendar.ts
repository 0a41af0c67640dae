// Gregorian calendar arithmetic: valid dates and day numbers since 1970-01-01.

/** The first and last year of valid dates (ADR 0005). */
export const yearMin = 1900
export const yearMax = 2199

/** Whether the date exists, within the valid years. */
export function isValidDate(year: number, month: number, day: number): boolean {
  return year >= yearMin && year <= yearMax && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

/** Days since 1970-01-01. */
export function dayNumber(year: number, month: number, day: number): number {
  // Years that begin in March put the leap day last; the constants are days per era, and days before the epoch.
  const shifted = month > 2 ? year : year - 1
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** The text `YYYY-MM-DD` of a day, counted from 1970-01-01. */
export function formatDay(dayNumber: number): string {
  return new Date(dayNumber * 86_400_000).toISOString().slice(0, 10)
}

/** The date that is so many days after another; dates are `YYYY-MM-DD`. */
export function plusDays(date: string, days: number): string {
  return formatDay(parseDay(date) + days)
}

/** 0 is Monday. */
export function weekdayOf(date: string): number {
  return (((parseDay(date) + 3) % 7) + 7) % 7
}

/** The day number of a date `YYYY-MM-DD`. */
function parseDay(date: string): number {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return dayNumber(year, month, day)
}

function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  if (month === 2) return isLeap ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
