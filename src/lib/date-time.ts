// ISO 8601 parser for dates and date-times, without zone conversion.
import { dayNumber, isValidDate } from './calendar.ts'
import { endOfDigits } from './digits.ts'

export interface DateTime {
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** Days since 1970-01-01. */
  readonly day: number
  /** Microseconds since midnight; further digits are dropped. */
  readonly timeOfDay: number
  /** Minutes east of UTC; null without a zone. */
  readonly offset: number | null
}

/**
 * The parsed text, or null for a date or time that does not exist. Accepts the formats of .NET, PHP and
 * JavaScript: `2024-05-01`, `2024-05-01T10:30`, `2024-05-01 10:30:00`, `2024-05-01t10:30:00.1234567z`,
 * `2024-05-01T10:30:00+02:00`, `+0200`, `+02`. Never converts from one zone to another.
 */
export function parseDateTime(text: string): DateTime | null {
  const year = numberAt(text, 0, 4)
  const month = numberAt(text, 5, 2)
  const day = numberAt(text, 8, 2)
  if (text[4] !== '-' || text[7] !== '-' || !isValidDate(year, month, day)) return null
  const timeEnd = text.length === 10 ? 10 : endOfTime(text)
  if (timeEnd === null) return null
  const offset = timeEnd === text.length ? null : parseOffset(text, timeEnd)
  if (offset === undefined) return null
  return {
    date: text.slice(0, 10),
    day: dayNumber(year, month, day),
    timeOfDay: timeEnd === 10 ? 0 : timeOfDay(text, timeEnd),
    offset,
  }
}

/** The end position of `T10:30`, `T10:30:00` or `T10:30:00.123`, or null. */
function endOfTime(text: string): number | null {
  const between = text[10]
  if (between !== 'T' && between !== ' ' && between !== 't') return null
  if (!(numberAt(text, 11, 2) < 24) || text[13] !== ':' || !(numberAt(text, 14, 2) < 60)) return null
  if (text[16] !== ':') return 16
  if (!(numberAt(text, 17, 2) < 60)) return null
  if (text[19] !== '.') return 19
  const end = endOfDigits(text, 20)
  return end === 20 ? null : end
}

function timeOfDay(text: string, end: number): number {
  const minutes = numberAt(text, 11, 2) * 60 + numberAt(text, 14, 2)
  const seconds = end === 16 ? 0 : numberAt(text, 17, 2)
  const fraction = end <= 19 ? 0 : Number(text.slice(20, Math.min(end, 26)).padEnd(6, '0'))
  return (minutes * 60 + seconds) * 1_000_000 + fraction
}

/** Minutes east of UTC, or undefined. No offset exceeds 14 hours. */
function parseOffset(text: string, at: number): number | undefined {
  const sign = text[at]
  const length = text.length - at
  if (sign === 'Z' || sign === 'z') return length === 1 ? 0 : undefined
  const hours = numberAt(text, at + 1, 2)
  const hasColon = text[at + 3] === ':'
  const minutes = length === 3 ? 0 : numberAt(text, at + (hasColon ? 4 : 3), 2)
  const isComplete = length === 3 || length === (hasColon ? 6 : 5)
  if (!isComplete || !(hours <= 14) || !(minutes < 60)) return undefined
  if (sign === '+') return hours * 60 + minutes
  // Avoids -0.
  return sign === '-' ? 0 - (hours * 60 + minutes) : undefined
}

/** The number of exactly this many digits, or NaN. */
function numberAt(text: string, at: number, digits: number): number {
  let number = 0
  for (let index = at; index < at + digits; index += 1) {
    const digit = text.charCodeAt(index) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    number = number * 10 + digit
  }
  return number
}
