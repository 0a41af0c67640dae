// Calendar dates: parsing with the rules for zones and offsets, and dates in a time zone (ADR 0005).
import { parseDateTime } from './date-time.ts'
import { LeastRecentlyUsed } from './least-recently-used.ts'

/** Why a text is not a date: the date does not exist, or depends on the time zone. */
export interface DateProblem {
  readonly problem: 'invalid' | 'ambiguous'
}

/**
 * The date `YYYY-MM-DD` of a text for a company in `zone`, a valid IANA name.
 *
 * A time of day is dropped. With an offset the written date counts, without conversion: .NET and PHP write local
 * dates this way. With `Z` or an offset of zero it is the written date if that is also the company's date, the company's
 * date if the instant is midnight for the company (`toISOString()` of a local date), and ambiguous otherwise.
 */
export function parseDate(text: string, zone: string): string | DateProblem {
  const parsed = parseDateTime(text)
  if (parsed === null) return invalid
  if (parsed.offset !== 0) return parsed.date
  const second = parsed.day * 86_400 + Math.floor(parsed.timeOfDay / 1_000_000)
  const local = zoneClock(zone).dayAt(second)
  if (local.date === parsed.date) return parsed.date
  if (!local.isMidnight || parsed.timeOfDay % 1_000_000 !== 0) return ambiguous
  // The evening of the last valid date in UTC may be the next date for the company.
  return local.date < '2200' ? local.date : invalid
}

/** The same for a company that rejects every zone and offset. */
export function parseDateWithoutZone(text: string): string | DateProblem {
  const parsed = parseDateTime(text)
  if (parsed === null) return invalid
  return parsed.offset === null ? parsed.date : ambiguous
}

/** The date in a time zone at an instant, in microseconds since 1970. */
export function dateInZone(zone: string, moment: number): string {
  return zoneClock(zone).dayAt(Math.floor(moment / 1_000_000)).date
}

/** The first instant of a valid date `YYYY-MM-DD` in a time zone, in microseconds since 1970. */
export function startOfDate(zone: string, day: string): number {
  const clock = zoneClock(zone)
  const midnight = Date.parse(`${day}T00:00:00Z`) / 1000
  // No time zone is further from UTC than this.
  let before = midnight - 15 * 3600
  let at = midnight + 15 * 3600
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2)
    if (clock.dayAt(middle).date < day) before = middle
    else at = middle
  }
  return at * 1_000_000
}

const invalid: DateProblem = { problem: 'invalid' }
const ambiguous: DateProblem = { problem: 'ambiguous' }

interface LocalDay {
  readonly date: string
  readonly isMidnight: boolean
}

/** Local dates of one time zone; the only use of Intl. */
class ZoneClock {
  readonly #format: Intl.DateTimeFormat
  /** A long list repeats few instants, and Intl costs more than the rest of a row. */
  readonly #days = new LeastRecentlyUsed<number, LocalDay>(2_000)

  constructor(zone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
  }

  /** The date at a second since 1970 UTC. */
  dayAt(second: number): LocalDay {
    let local = this.#days.get(second)
    if (local === undefined) {
      const { date, time } = this.#clockAt(second)
      // Where daylight saving skips midnight, the first instant of the day counts as midnight, as in JavaScript.
      const isMidnight = time === '00:00:00' || this.#clockAt(second - 1).date < date
      this.#days.set(second, (local = { date, isMidnight }))
    }
    return local
  }

  #clockAt(second: number): { date: string; time: string } {
    const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
    for (const { type, value } of this.#format.formatToParts(second * 1000)) part[type] = value
    return { date: `${part.year}-${part.month}-${part.day}`, time: `${part.hour}:${part.minute}:${part.second}` }
  }
}

const clockByZone = new LeastRecentlyUsed<string, ZoneClock>(100)

function zoneClock(zone: string): ZoneClock {
  let clock = clockByZone.get(zone)
  if (clock === undefined) clockByZone.set(zone, (clock = new ZoneClock(zone)))
  return clock
}
