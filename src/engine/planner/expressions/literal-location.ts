// Literal location: whether a literal equals, lies between, or lies beyond the values of a type.
import { yearMax, yearMin } from '../../../lib/calendar.ts'
import { parseDate } from '../../../lib/calendar-date.ts'
import { parseDateTime } from '../../../lib/date-time.ts'
import { parseDuration } from '../../../lib/duration.ts'
import { toTimestamp } from '../../../lib/timestamp.ts'
import { parseEnumValue } from '../../model/enumeration.ts'
import type { Enumeration } from '../../model/resource.ts'
import { typeInString } from '../../odata/lexer/literals.ts'
import type { LiteralNode, LiteralType } from '../../odata/expressions/syntax.ts'
import type { Binding } from '../binding.ts'
import { parseDigits } from '../../../lib/decimal-digits.ts'
import type { ValueKind, ValueType } from './bound-expression.ts'

/** `between`: the literal lies between this value and the next greater one, so that no record can equal it. */
export type LiteralLocation =
  | { readonly at: 'value'; readonly value: string | number | boolean }
  | { readonly at: 'between'; readonly value: string | number | boolean }
  | { readonly at: 'belowAll' }
  | { readonly at: 'aboveAll' }

/**
 * Why a literal has no location: its type does not fit, the day or member does not exist, or its day depends on the
 * time zone.
 */
export type LiteralProblem = 'type' | 'nonexistent' | 'member' | 'zone'

/** `zone` is the company's time zone; only a UTC timestamp compared with a date needs it (ADR 0005). */
export function locateLiteral(
  valueType: ValueType,
  literalType: LiteralType,
  text: string,
  zone: string,
): LiteralLocation | LiteralProblem {
  if (typeof valueType === 'object') return locateMembers(valueType, literalType, text)
  return locators[valueType][literalType]?.(text, zone) ?? 'type'
}

/** A string may omit the enumeration's name. */
function locateMembers(type: Enumeration, literalType: LiteralType, text: string): LiteralLocation | LiteralProblem {
  if (literalType !== 'enum') return 'type'
  const number = parseEnumValue(type, text)
  return number === null ? 'member' : locationOf(number, true)
}

type Locator = (text: string, zone: string) => LiteralLocation | LiteralProblem

const locateDate: Locator = (text, zone) => {
  const written = parseDateTime(text)
  if (written === null) return locateOutOfRangeYear(text)
  if (written.offset !== 0) return locationOf(written.date, isExact(text) && written.timeOfDay === 0)
  const date = parseDate(text, zone)
  if (typeof date !== 'string') return date.problem === 'ambiguous' ? 'zone' : 'nonexistent'
  // A date other than the written one is midnight in the company's time zone.
  return locationOf(date, date !== written.date || (isExact(text) && written.timeOfDay === 0))
}

/** Microseconds since 1970; without an offset the literal is UTC (ADR 0005). */
const locateTimestamp: Locator = (text) => {
  const written = parseDateTime(text)
  if (written === null) return locateOutOfRangeYear(text)
  return locationOf(toTimestamp(written), isExact(text))
}

const locators: Record<Exclude<ValueKind, 'enum'>, Partial<Record<LiteralType, Locator>>> = {
  integer: { number: (text) => locateNumber(text, 0) },
  decimal: { number: (text) => locateNumber(text, 4) },
  seconds: { number: (text) => locateNumber(text, 6) },
  date: { date: locateDate, dateTime: locateDate },
  timestamp: { date: locateTimestamp, dateTime: locateTimestamp },
  timeOfDay: { timeOfDay: (text) => locateTimeOfDay(text) },
  duration: { duration: (text) => locateDuration(text) },
  text: { text: (text) => locationOf(text, true) },
  boolean: { boolean: (text) => locationOf(text.toLowerCase() === 'true', true) },
}

function locationOf(value: string | number | boolean, isExact: boolean): LiteralLocation {
  return { at: isExact ? 'value' : 'between', value }
}

/** Whether only zeros follow the microseconds. */
function isExact(text: string): boolean {
  return !/\.\d{6}\d*[1-9]/.test(text)
}

/** `9999-12-31` and `0001-01-01` stand for "no end" and "no beginning"; no record has such a date. */
function locateOutOfRangeYear(text: string): LiteralLocation | LiteralProblem {
  // Validates the rest of the literal with a leap year in place of its own year.
  if (parseDateTime(`2000${text.slice(4)}`) === null) return 'nonexistent'
  const year = Number(text.slice(0, 4))
  if (year >= yearMin && year <= yearMax) return 'nonexistent'
  return { at: year < yearMin ? 'belowAll' : 'aboveAll' }
}

/** Microseconds since midnight. */
function locateTimeOfDay(text: string): LiteralLocation | LiteralProblem {
  const written = parseDateTime(`2000-01-01T${text}`)
  return written === null ? 'nonexistent' : locationOf(written.timeOfDay, isExact(text))
}

/** Microseconds. */
function locateDuration(text: string): LiteralLocation | LiteralProblem {
  const duration = parseDuration(text)
  if (duration === null) return 'type'
  const { micros, isExact } = duration
  if (Number.isSafeInteger(micros)) return locationOf(micros, isExact)
  return { at: micros < 0 ? 'belowAll' : 'aboveAll' }
}

/** An integer in units of the last decimal place, computed from the digits as written, without floating point. */
function locateNumber(text: string, places: number): LiteralLocation {
  if (text.endsWith('INF')) return { at: text.startsWith('-') ? 'belowAll' : 'aboveAll' }
  const { isNegative, digits, point } = parseDigits(text)
  // More than seventeen digits exceed every value.
  const wholeDigits = Math.min(Math.max(point + places, 0), 17)
  const whole = Number(digits.slice(0, wholeDigits).padEnd(wholeDigits, '0'))
  if (!Number.isSafeInteger(whole)) return { at: isNegative ? 'belowAll' : 'aboveAll' }
  const isExact = digits.length <= wholeDigits
  // Adding 0 turns -0 into 0.
  return locationOf(isNegative ? -whole - (isExact ? 0 : 1) + 0 : whole, isExact)
}

/** How the literals of a query are interpreted. */
type LiteralContext = Pick<Binding, 'dialect' | 'namespace' | 'zone'>

/** Locates a literal among the values of the type that it is compared with. */
export function locateOperand(
  context: LiteralContext,
  type: ValueType,
  literal: LiteralNode,
): LiteralLocation | LiteralProblem {
  const own = isOtherEnumeration(context, type, literal)
    ? 'type'
    : locateLiteral(type, literal.type, literal.value, context.zone)
  return own === 'type' && context.dialect.coercesText ? locateText(context, type, literal) : own
}

/** The literal has the prefix of another enumeration. */
function isOtherEnumeration({ namespace }: LiteralContext, type: ValueType, { enumeration }: LiteralNode): boolean {
  if (enumeration === undefined || typeof type === 'string') return false
  return enumeration.toLowerCase() !== `${namespace}.${type.wire}`.toLowerCase()
}

function locateText(
  { zone }: LiteralContext,
  type: ValueType,
  { type: given, value }: LiteralNode,
): LiteralLocation | LiteralProblem {
  if (typeof type === 'object') return given === 'text' ? locateLiteral(type, 'enum', value, zone) : 'type'
  const own = typeInString(value)
  if (given !== 'text' || own === undefined) return 'type'
  return locateLiteral(type, own, value, zone)
}
