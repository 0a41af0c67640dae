// Timestamps in microseconds since 1970 UTC, and their text `2024-05-01T10:00:00.123456Z`.
import { formatDay, padZeros } from './calendar.ts'
import { parseDateTime, type DateTime } from './date-time.ts'

export const microsecondsPerSecond = 1_000_000
export const microsecondsPerMinute = 60 * microsecondsPerSecond
export const microsecondsPerHour = 60 * microsecondsPerMinute
export const microsecondsPerDay = 24 * microsecondsPerHour

/**
 * The timestamp of a text, or null. Without a zone it is UTC, a date is its midnight; digits beyond the microsecond
 * are dropped.
 */
export function parseTimestamp(text: string): number | null {
  const parsed = parseDateTime(text)
  return parsed === null ? null : toTimestamp(parsed)
}

/** Without an offset it is UTC. */
export function toTimestamp({ day, timeOfDay, offset }: DateTime): number {
  return day * microsecondsPerDay + timeOfDay - (offset ?? 0) * microsecondsPerMinute
}

/** Always with six places, so that texts sort like timestamps. */
export function formatTimestamp(microseconds: number): string {
  const day = Math.floor(microseconds / microsecondsPerDay)
  const timeOfDay = microseconds - day * microsecondsPerDay
  const seconds = Math.floor(timeOfDay / microsecondsPerSecond)
  const hour = padZeros(Math.floor(seconds / 3600), 2)
  const minute = padZeros(Math.floor(seconds / 60) % 60, 2)
  const second = padZeros(seconds % 60, 2)
  const fraction = padZeros(timeOfDay % microsecondsPerSecond, 6)
  return `${formatDay(day)}T${hour}:${minute}:${second}.${fraction}Z`
}

/** The UTC date, `YYYY-MM-DD`. */
export function utcDay(microseconds: number): string {
  return formatDay(Math.floor(microseconds / microsecondsPerDay))
}
