// Dates as `YYYY-MM-DD`: arithmetic without clock or time zone.

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}

export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000
}

/** Monday is 0. */
export function getWeekday(day: string): number {
  return (new Date(Date.parse(day)).getUTCDay() + 6) % 7
}

export function getMonday(day: string): string {
  return addDays(day, -getWeekday(day))
}

export function getFirstOfMonth(day: string): string {
  return `${day.slice(0, 7)}-01`
}

export function getLastOfMonth(day: string): string {
  return addDays(addMonths(getFirstOfMonth(day), 1), -1)
}

export function addMonths(first: string, months: number): string {
  const [year = 0, month = 0] = first.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10)
}

/** ISO 8601 week number: a week belongs to the year of its Thursday. */
export function getIsoWeek(day: string): number {
  const thursday = addDays(getMonday(day), 3)
  const first = `${thursday.slice(0, 4)}-01-01`
  return Math.floor((Date.parse(thursday) - Date.parse(first)) / 604_800_000) + 1
}

export function listDays(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}

/** How a period is compared with last year: with the same dates, or with the same weekdays, 52 weeks before. */
export type ComparisonRule = 'dates' | 'weekdays'

/**
 * A period from the first of a month is compared as months are in accounts, by dates, whether it is shown by day or by
 * month; every other period, and weeks, by weekdays. The key figures of the server follow the same rule.
 */
export function getComparisonRule(from: string, per: 'day' | 'week' | 'month'): ComparisonRule {
  return per !== 'week' && from.endsWith('-01') ? 'dates' : 'weekdays'
}

/** The corresponding day of last year; 29 February has none by dates. */
export function getDayInPreviousYear(day: string, rule: ComparisonRule): string {
  return rule === 'dates' ? `${Number(day.slice(0, 4)) - 1}${day.slice(4)}` : addDays(day, -364)
}

/** The period of last year that this one is compared with; the 29 February of its end becomes the 28th. */
export function getRangeInPreviousYear(from: string, to: string, rule: ComparisonRule): [from: string, to: string] {
  return [
    getDayInPreviousYear(from, rule),
    getDayInPreviousYear(rule === 'dates' ? to.replace('02-29', '02-28') : to, rule),
  ]
}

/** Whether the text is a day of the calendar: no 30 February. */
export function isDay(text: string | undefined): text is string {
  return (
    text !== undefined &&
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(Date.parse(text)) &&
    addDays(text, 0) === text
  )
}
