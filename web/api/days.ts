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

/** The corresponding day of last year: the same weekday for days and weeks, the same date for months. */
export function getDayInPreviousYear(day: string, per: 'day' | 'week' | 'month'): string {
  return per === 'month' ? `${Number(day.slice(0, 4)) - 1}${day.slice(4)}` : addDays(day, -364)
}

export function isDay(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}
