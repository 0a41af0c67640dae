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
  const shifted = dayNumber + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${padZeros(year, 4)}-${padZeros(month, 2)}-${padZeros(day, 2)}`
}

/** The day after one that is written `YYYY-MM-DD`. */
export function nextDate(day: string): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return formatDay(dayNumber(year, month, date) + 1)
}

/** A number with leading zeros. */
export function padZeros(number: number, digits: number): string {
  return String(number).padStart(digits, '0')
}

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}
