// ISO 8601 parser for dates and date-times, without zone conversion.
import { dayNumber, isValidDate } from './calendar.ts'

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
  if (!dateTime.test(text)) return null
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const [month, day] = [twoDigits(text, 5), twoDigits(text, 8)]
  if (!isValidDate(year, month, day)) return null
  const date = text.slice(0, 10)
  if (text.length === 10) return { date, day: dayNumber(year, month, day), timeOfDay: 0, offset: null }
  const [time = '', zone] = text.slice(11).split(/(?=[Zz+-])/)
  return {
    date,
    day: dayNumber(year, month, day),
    timeOfDay: timeOfDay(time),
    offset: zone === undefined ? null : offsetOf(zone),
  }
}

/** No offset exceeds 14 hours. */
const dateTime =
  /^\d{4}-\d\d-\d\d(?:[Tt ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:[Zz]|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?)?$/

/** Of `10:30`, `10:30:00` or `10:30:00.123`. */
function timeOfDay(time: string): number {
  const minutes = twoDigits(time, 0) * 60 + twoDigits(time, 3)
  const seconds = Number(time.slice(6, 15))
  return minutes * 60_000_000 + Math.round(seconds * 1_000_000)
}

/** Minutes east of UTC. */
function offsetOf(zone: string): number {
  if (zone.length === 1) return 0
  const minutes = twoDigits(zone, 1) * 60 + (zone.length === 3 ? 0 : twoDigits(zone, zone.length - 2))
  // Avoids -0.
  return zone.startsWith('-') ? 0 - minutes : minutes
}

const zero = 48

/** Faster than a number of a part of the text. */
function twoDigits(text: string, at: number): number {
  return text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 11 * zero
}
