// Typed days: what a person writes for a date.
import { isDay } from './days.ts'
import { createFormatter } from './format.ts'
import type { Language } from '../../src/app/contract/session.ts'

/**
 * `2026-11-12`, `12.11`, `12.11.26`, `12. nov 2026`, `121126`, `12112026`. Without a year it is the latest one that is not ahead
 * of `today`; one of two digits is at most ten years ahead.
 */
export function parseTypedDay(typed: string, today: string, language: Language): string | null {
  const text = typed.trim().toLowerCase()
  if (isDay(text)) return text
  const found = withSeparators.exec(text) ?? withoutSeparators.exec(text)
  const thisYear = Number(today.slice(0, 4))
  const [, date = '', month = '', typedYear = String(thisYear)] = found ?? []
  const century = Number(`20${typedYear}`) > thisYear + 10 ? '19' : '20'
  const year = typedYear.length === 2 ? `${century}${typedYear}` : typedYear
  const format = createFormatter(language, 'UTC')
  const names = Array.from({ length: 12 }, (_, index) =>
    format.day(`2000-${twoDigits(index + 1)}-01`, 'monthYear').toLowerCase(),
  )
  const number = /\d/.test(month) ? month : names.findIndex((name) => name.startsWith(month)) + 1
  const day = `${year}-${twoDigits(number)}-${twoDigits(date)}`
  if (found === null || !isDay(day)) return null
  const latest = found[3] === undefined && day > today ? `${Number(year) - 1}${day.slice(4)}` : day
  // There is a 29 February in one of the two.
  return isDay(latest) ? latest : null
}

const withSeparators = /^(\d{1,2})[./ -]+(\d{1,2}|\p{L}{3,})\.?(?:[./ -]+(\d{4}|\d{2}))?$/u

const withoutSeparators = /^(\d{2})(\d{2})(\d{4}|\d{2})$/

function twoDigits(number: string | number): string {
  return String(number).padStart(2, '0')
}
