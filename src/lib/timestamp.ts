// Timestamps in microseconds since 1970 UTC, and their text `2024-05-01T10:00:00.123456Z`.
import { dayText, padded } from './calendar.ts'
import { readDateTime } from './date-time.ts'

export const microsecondsPerDay = 86_400_000_000

/**
 * The timestamp of a text, or null. Without a zone it is UTC, a date is its midnight; digits beyond the microsecond
 * are dropped.
 */
export function readStamp(text: string): number | null {
  const written = readDateTime(text)
  if (written === null) return null
  return written.day * microsecondsPerDay + written.timeOfDay - (written.offset ?? 0) * 60_000_000
}

/** Always with six places, so that texts sort like timestamps. */
export function writeStamp(microseconds: number): string {
  const day = Math.floor(microseconds / microsecondsPerDay)
  const timeOfDay = microseconds - day * microsecondsPerDay
  const seconds = Math.floor(timeOfDay / 1_000_000)
  const hour = padded(Math.floor(seconds / 3600), 2)
  const minute = padded(Math.floor(seconds / 60) % 60, 2)
  const second = padded(seconds % 60, 2)
  return `${dayText(day)}T${hour}:${minute}:${second}.${padded(timeOfDay % 1_000_000, 6)}Z`
}

/** The UTC date, `YYYY-MM-DD`. */
export function stampDay(microseconds: number): string {
  return dayText(Math.floor(microseconds / microsecondsPerDay))
}
