// Literal location: whether a literal equals, lies between, or lies beyond the values of a type.
import { yearMax, yearMin } from '../../../lib/calendar.ts'
import { readDate } from '../../../lib/civil-date.ts'
import { readDateTime } from '../../../lib/date-time.ts'
import { readDuration } from '../../../lib/duration.ts'
import { numberOfMembers } from '../../model/enumeration.ts'
import type { Enumeration } from '../../model/resource.ts'
import type { LiteralType } from '../../odata/expressions/syntax.ts'
import { readDigits } from './digits.ts'
import type { ValueKind, ValueType } from './expression.ts'

/** `above`: the literal lies between this value and the next greater one, so that no record can equal it. */
export type Place =
  | { readonly at: 'value'; readonly value: string | number | boolean }
  | { readonly at: 'above'; readonly value: string | number | boolean }
  | { readonly at: 'belowAll' }
  | { readonly at: 'aboveAll' }

/**
 * Why a literal has no location: its type does not fit, the day or member does not exist, or its day depends on the
 * time zone.
 */
export type PlaceProblem = 'type' | 'day' | 'member' | 'zone'

/** `zone` is the company's time zone; only a UTC timestamp compared with a date needs it (ADR 0005). */
export function placeOf(
  valueType: ValueType,
  literalType: LiteralType,
  text: string,
  zone: string,
): Place | PlaceProblem {
  if (typeof valueType === 'object') return placeOfMembers(valueType, literalType, text)
  return placers[valueType][literalType]?.(text, zone) ?? 'type'
}

/** A string may omit the enumeration's name. */
function placeOfMembers(
  type: Enumeration,
  literalType: LiteralType,
  text: string,
): Place | PlaceProblem {
  if (literalType !== 'enum') return 'type'
  const number = numberOfMembers(type, text)
  return number === null ? 'member' : within(number, true)
}

type Placer = (text: string, zone: string) => Place | PlaceProblem

const placeOfDate: Placer = (text, zone) => {
  const written = readDateTime(text)
  if (written === null) return placeOfForeignYear(text)
  if (written.offset !== 0) return within(written.date, isExact(text) && written.timeOfDay === 0)
  const date = readDate(text, zone)
  if (typeof date !== 'string') return date.problem === 'ambiguous' ? 'zone' : 'day'
  // A date other than the written one is midnight in the company's time zone.
  return within(date, date !== written.date || (isExact(text) && written.timeOfDay === 0))
}

/** Microseconds since 1970; without an offset the literal is UTC (ADR 0005). */
const placeOfStamp: Placer = (text) => {
  const written = readDateTime(text)
  if (written === null) return placeOfForeignYear(text)
  const { day, timeOfDay, offset } = written
  return within(day * 86_400_000_000 + timeOfDay - (offset ?? 0) * 60_000_000, isExact(text))
}

const placers: Record<Exclude<ValueKind, 'enum'>, Partial<Record<LiteralType, Placer>>> = {
  integer: { number: (text) => placeOfNumber(text, 0) },
  decimal: { number: (text) => placeOfNumber(text, 4) },
  seconds: { number: (text) => placeOfNumber(text, 6) },
  date: { date: placeOfDate, dateTime: placeOfDate },
  stamp: { date: placeOfStamp, dateTime: placeOfStamp },
  timeOfDay: { timeOfDay: (text) => placeOfTime(text) },
  duration: { duration: (text) => placeOfDuration(text) },
  text: { text: (text) => within(text, true) },
  boolean: { boolean: (text) => within(text === 'true', true) },
}

function within(value: string | number | boolean, isExact: boolean): Place {
  return {
    at: isExact ? 'value' : 'above',
    value,
  }
}

/** Whether only zeros follow the microseconds. */
function isExact(text: string): boolean {
  return !/\.\d{6}\d*[1-9]/.test(text)
}

/** `9999-12-31` and `0001-01-01` stand for "no end" and "no beginning"; no record has such a date. */
function placeOfForeignYear(text: string): Place | PlaceProblem {
  // Validates the rest of the literal with a leap year in place of its own year.
  if (readDateTime(`2000${text.slice(4)}`) === null) return 'day'
  const year = Number(text.slice(0, 4))
  if (year >= yearMin && year <= yearMax) return 'day'
  return { at: year < yearMin ? 'belowAll' : 'aboveAll' }
}

/** Microseconds since midnight. */
function placeOfTime(text: string): Place | PlaceProblem {
  const written = readDateTime(`2000-01-01T${text}`)
  return written === null ? 'day' : within(written.timeOfDay, isExact(text))
}

/** Microseconds. */
function placeOfDuration(text: string): Place | PlaceProblem {
  const duration = readDuration(text)
  if (duration === null) return 'type'
  const { micros, isWhole } = duration
  if (Number.isSafeInteger(micros)) return within(micros, isWhole)
  return { at: micros < 0 ? 'belowAll' : 'aboveAll' }
}

/** An integer in units of the last decimal place, computed from the digits as written, without floating point. */
function placeOfNumber(text: string, places: number): Place {
  if (text.endsWith('INF')) return { at: text.startsWith('-') ? 'belowAll' : 'aboveAll' }
  const { isNegative, digits, point } = readDigits(text)
  // More than seventeen digits exceed every value.
  const wholeDigits = Math.min(Math.max(point + places, 0), 17)
  const whole = Number(digits.slice(0, wholeDigits).padEnd(wholeDigits, '0'))
  if (!Number.isSafeInteger(whole)) return { at: isNegative ? 'belowAll' : 'aboveAll' }
  const isWhole = digits.length <= wholeDigits
  // Adding 0 turns -0 into 0.
  return within(isNegative ? -whole - (isWhole ? 0 : 1) + 0 : whole, isWhole)
}
