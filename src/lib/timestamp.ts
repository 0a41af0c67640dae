// Timestamps in microseconds since 1970 UTC, and their text `2024-05-01T10:00:00.123456Z`.
import { formatDay } from './calendar.ts'
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
  const second = Math.floor(microseconds / microsecondsPerSecond)
  const slot = second & (recentSeconds.length - 1)
  let recent = recentSeconds[slot]
  if (recent?.second !== second)
    recentSeconds[slot] = recent = { second, start: new Date(second * 1000).toISOString().slice(0, -4) }
  return `${recent.start}${String(microseconds - second * microsecondsPerSecond).padStart(6, '0')}Z`
}

/** The records of a list share few seconds, and a date is formatted slower than a record is read. A power of two. */
const recentSeconds: ({ readonly second: number; readonly start: string } | undefined)[] = Array(64).fill(undefined)

/** The UTC day, counted from 1970-01-01. */
export function utcDayNumber(microseconds: number): number {
  return Math.floor(microseconds / microsecondsPerDay)
}

/** The UTC date, `YYYY-MM-DD`. */
export function utcDate(microseconds: number): string {
  return formatDay(utcDayNumber(microseconds))
}
