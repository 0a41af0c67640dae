// Calendar dates: parsing with the rules for zones and offsets, and dates in a time zone (ADR 0005).
import { readDateTime } from './date-time.ts'
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
export function readDate(text: string, zone: string): string | DateProblem {
  const written = readDateTime(text)
  if (written === null) return invalid
  if (written.offset !== 0) return written.date
  const second = written.day * 86_400 + Math.floor(written.timeOfDay / 1_000_000)
  const local = clocksIn(zone).dayAt(second)
  if (local.date === written.date) return written.date
  if (!local.isMidnight || written.timeOfDay % 1_000_000 !== 0) return ambiguous
  // The evening of the last valid date in UTC may be the next date for the company.
  return local.date < '2200' ? local.date : invalid
}

/** The same for a company that rejects every zone and offset. */
export function readDateWithoutZone(text: string): string | DateProblem {
  const written = readDateTime(text)
  if (written === null) return invalid
  return written.offset === null ? written.date : ambiguous
}

/** The date in a time zone at an instant, in microseconds since 1970. */
export function dayIn(zone: string, moment: number): string {
  return clocksIn(zone).dayAt(Math.floor(moment / 1_000_000)).date
}

/** The first instant of a valid date `YYYY-MM-DD` in a time zone, in microseconds since 1970. */
export function dayStart(zone: string, day: string): number {
  const clocks = clocksIn(zone)
  const midnight = Date.parse(`${day}T00:00:00Z`) / 1000
  // No time zone is further from UTC than this.
  let before = midnight - 15 * 3600
  let at = midnight + 15 * 3600
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2)
    if (clocks.dayAt(middle).date < day) before = middle
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
class Clocks {
  readonly #format: Intl.DateTimeFormat
  /** A long list repeats few instants, and Intl costs more than the rest of a row. */
  readonly #days = new Map<number, LocalDay>()

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
      if (this.#days.size === daysMax) this.#days.clear()
      this.#days.set(second, (local = { date, isMidnight }))
    }
    return local
  }

  #clockAt(second: number): { date: string; time: string } {
    const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
    for (const { type, value } of this.#format.formatToParts(second * 1000)) part[type] = value
    return {
      date: `${part.year}-${part.month}-${part.day}`,
      time: `${part.hour}:${part.minute}:${part.second}`,
    }
  }
}

const daysMax = 4_000

const clocksByZone = new LeastRecentlyUsed<string, Clocks>(100)

function clocksIn(zone: string): Clocks {
  let clocks = clocksByZone.get(zone)
  if (clocks === undefined) clocksByZone.set(zone, (clocks = new Clocks(zone)))
  return clocks
}
