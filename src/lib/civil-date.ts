// Calendar dates as text: what a caller wrote becomes the day that was meant, or a refusal (ADR 0005).
import { readDateTime } from './date-time.ts'
import { LeastRecentlyUsed } from './least-recently-used.ts'

/** Why a text is no date: it names no day that exists, or another one in another zone. */
export interface DateProblem {
  readonly problem: 'invalid' | 'ambiguous'
}

/**
 * The day `YYYY-MM-DD` that a text means to a company in `zone`, an IANA name that exists.
 *
 * A time of day is dropped. With an offset the written date counts, without arithmetic: .NET and PHP write a
 * local day so. With `Z` or an offset of zero it is the written date where that is also the company's date,
 * the company's date where the moment is the company's midnight (`toISOString()` of a local day), and
 * otherwise ambiguous.
 */
export function readDate(text: string, zone: string): string | DateProblem {
  const written = readDateTime(text)
  if (written === null) return invalid
  if (written.offset !== 0) return written.date
  const second = written.day * 86_400 + Math.floor(written.timeOfDay / 1_000_000)
  const local = clocksIn(zone).dayAt(second)
  if (local.date === written.date) return written.date
  if (!local.isMidnight || written.timeOfDay % 1_000_000 !== 0) return ambiguous
  // The evening of the last day that the house keeps may be the next day to the company.
  return local.date < '2200' ? local.date : invalid
}

/** The same for a company that takes no zone at all, however harmless. */
export function readDateWithoutZone(text: string): string | DateProblem {
  const written = readDateTime(text)
  if (written === null) return invalid
  return written.offset === null ? written.date : ambiguous
}

/** The day that the clocks of a zone show at a moment, in microseconds since 1970. */
export function dayIn(zone: string, moment: number): string {
  return clocksIn(zone).dayAt(Math.floor(moment / 1_000_000)).date
}

/** The first moment of a day `YYYY-MM-DD` that exists, by the clocks of a zone, in microseconds since 1970. */
export function dayStart(zone: string, day: string): number {
  const clocks = clocksIn(zone)
  const midnight = Date.parse(`${day}T00:00:00Z`) / 1000
  // No clock is further from UTC than this.
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

/** What the clocks of one zone show. The only place that asks Intl. */
class Clocks {
  readonly #format: Intl.DateTimeFormat
  /** A bulk list names few moments, each many times; asking Intl costs more than all the rest of a row. */
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

  /** The day at a second since 1970 UTC. */
  dayAt(second: number): LocalDay {
    let local = this.#days.get(second)
    if (local === undefined) {
      const { date, time } = this.#clockAt(second)
      // Where the clocks skip midnight, the first moment of the day stands for it, as in JavaScript.
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
