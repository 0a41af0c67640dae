// Parses a body's value by the type of its field.
import type { ErrorCode } from '../../../errors/catalog.ts'
import { type DateProblem } from '../../../lib/calendar-date.ts'
import { codePointName } from '../../../lib/code-point.ts'
import { amountLimit, numberAsText, parseDecimal, formatDecimal } from '../../../lib/decimal.ts'
import { parseDateTime } from '../../../lib/date-time.ts'
import { parseDuration, formatDuration } from '../../../lib/duration.ts'
import { parseTimestamp } from '../../../lib/timestamp.ts'
import { parseEnumValue } from '../../model/enumeration.ts'
import { int32Max, kindOfType, type Field, type TypeKind } from '../../model/resource.ts'
import { message, type MessageCode, type MessageParams } from '../../../errors/messages.ts'
import { NumberText, InvalidText, quoteValue, textOf, type BodyValue } from './row-sink.ts'

/** A value in its internal representation; null clears the field. */
export type ParsedValue = string | number | boolean | null

/** Why a value is invalid; the caller adds the name of the field. */
export class InvalidFieldValue {
  readonly code: ErrorCode
  readonly params: MessageParams

  constructor(code: ErrorCode, params: MessageParams = {}) {
    this.code = code
    this.params = params
  }
}

export interface ValueRules {
  readonly readDate: (text: string) => string | DateProblem
  readonly zone: string
  /** XML often has whitespace around a value. */
  readonly trimsValues: boolean
}

interface IntegerRange {
  readonly min: number
  readonly max: number
}

/** Of `Edm.Int32`, which is declared: typed clients fail to read others. */
const storedIntegers: IntegerRange = { min: -int32Max - 1, max: int32Max }
const exactIntegers: IntegerRange = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }

export function parseValue(
  bodyValue: Exclude<BodyValue, null>,
  field: Field,
  rules: ValueRules,
  integers = storedIntegers,
): ParsedValue | InvalidFieldValue {
  if (bodyValue instanceof InvalidText)
    return new InvalidFieldValue('InvalidCharacter', { character: bodyValue.character })
  const kind = kindOfType(field.type)
  if (rules.trimsValues && typeof bodyValue === 'string' && kind !== 'text')
    return valueParsers[kind](bodyValue.trim(), field, rules, integers)
  return valueParsers[kind](bodyValue, field, rules, integers)
}

/** The key of a record; undefined for `0`, `"0"` and `""`, which clients send for no key (interface 2.1). */
export function parseKey(
  bodyValue: Exclude<BodyValue, null>,
  field: Field,
  rules: ValueRules,
): ParsedValue | InvalidFieldValue | undefined {
  if (typeof bodyValue === 'string' && bodyValue.trim() === '') return undefined
  // It is looked up first: a number that no record can have is an unknown key.
  const key = parseValue(bodyValue, field, rules, exactIntegers)
  return key === 0 ? undefined : key
}

/** Zero or empty, which clients send for no key. */
export function isEmptyKey(bodyValue: Exclude<BodyValue, null>): boolean {
  return /^-?0*(\.0+)?$/.test(textOf(bodyValue)?.trim() ?? 'none')
}

type ValueParser = (
  bodyValue: Exclude<BodyValue, null | InvalidText>,
  field: Field,
  rules: ValueRules,
  integers: IntegerRange,
) => ParsedValue | InvalidFieldValue

const valueParsers: Record<TypeKind, ValueParser> = {
  integer: (bodyValue, _field, _rules, { min, max }) => {
    const digits = textOf(bodyValue)
    if (digits === null) return invalidType('anInteger', bodyValue)
    // Some clients have no integers and send 7.0.
    if (!/^-?\d+(\.0+)?$/.test(digits)) return invalidType('anInteger', bodyValue)
    // Adding zero turns -0 into 0.
    const number = Number(digits) + 0
    return number >= min && number <= max ? number : new InvalidFieldValue('NumberOutOfRange', { min, max })
  },

  decimal: (bodyValue) => {
    const digits = textOf(bodyValue)
    if (digits === null) return invalidType('aNumber', bodyValue)
    const number = parseDecimal(digits)
    if (number === 'malformed') return new InvalidFieldValue('InvalidNumber')
    return number === 'outOfRange' ? new InvalidFieldValue('NumberOutOfRange', amountRange) : number
  },

  date: (bodyValue, _, { readDate, zone }) => {
    if (typeof bodyValue !== 'string') return invalidType('aDateString', bodyValue)
    const date = readDate(bodyValue)
    if (typeof date === 'string') return date
    return date.problem === 'invalid'
      ? new InvalidFieldValue('InvalidDate')
      : new InvalidFieldValue('AmbiguousDate', { zone })
  },

  timestamp: (bodyValue) => {
    if (typeof bodyValue !== 'string') return invalidType('aDateString', bodyValue)
    return parseTimestamp(bodyValue) ?? new InvalidFieldValue('InvalidDate')
  },

  timeOfDay: (bodyValue) => {
    if (typeof bodyValue !== 'string') return invalidType('aTimeOfDay', bodyValue)
    return parseDateTime(`2000-01-01T${bodyValue}`)?.timeOfDay ?? new InvalidFieldValue('InvalidDate')
  },

  duration: (bodyValue) => {
    const duration = typeof bodyValue === 'string' ? parseDuration(bodyValue) : null
    if (duration === null) return invalidType('aDuration', bodyValue)
    return Number.isSafeInteger(duration.micros)
      ? duration.micros
      : new InvalidFieldValue('NumberOutOfRange', durationRange)
  },

  enum: (bodyValue, { type }) => {
    if (typeof bodyValue !== 'string' || typeof type === 'string') return invalidType('anEnumMember', bodyValue)
    return (
      parseEnumValue(type, bodyValue) ??
      new InvalidFieldValue('InvalidValue', { problem: message('noSuchMember', { name: bodyValue.slice(0, 60) }) })
    )
  },

  /** A number becomes its digits: department codes are often numeric. */
  text: (bodyValue, field) => {
    const max = field.lengthMax ?? numberTextLengthMax
    const text = bodyValue instanceof NumberText ? numberAsText(bodyValue.text, max) : bodyValue
    if (text === null) return new InvalidFieldValue('ValueTooLong', { max })
    if (typeof text !== 'string') return invalidType('aString', bodyValue)
    if (text === '') return parseEmptyText(field)
    const [character] = upperControl.exec(text) ?? []
    if (character !== undefined)
      return new InvalidFieldValue('InvalidCharacter', { character: codePointName(character) })
    return isLongerThan(text, field.lengthMax)
      ? new InvalidFieldValue('ValueTooLong', { max: field.lengthMax ?? 0 })
      : text
  },

  boolean: (bodyValue) => {
    if (bodyValue === true || bodyValue === 'true') return true
    if (bodyValue === false || bodyValue === 'false') return false
    return invalidType('trueOrFalse', bodyValue)
  },
}

/** The maximum length of a number's text in a field without a limit. */
const numberTextLengthMax = 1000

/** DEL and C1 controls: legal in JSON and XML, but nearly always a sign of a wrong encoding. */
const upperControl = /[\u007F-\u009F]/

const amountRange: MessageParams = { min: formatDecimal(1 - amountLimit), max: formatDecimal(amountLimit - 1) }

const durationRange: MessageParams = {
  min: formatDuration(Number.MIN_SAFE_INTEGER),
  max: formatDuration(Number.MAX_SAFE_INTEGER),
}

export function invalidType(expected: MessageCode, bodyValue: BodyValue): InvalidFieldValue {
  return new InvalidFieldValue('InvalidType', { expected: message(expected), found: quoteValue(bodyValue) })
}

/** An empty string clears a field, unless the field is required or its null is stored as ''. */
function parseEmptyText(field: Field): null | InvalidFieldValue {
  return (field.optional || field.assigned) && !field.blankWhenNull
    ? null
    : new InvalidFieldValue('InvalidValue', { problem: message('isEmpty') })
}

/** Counts code points: an emoji is one character, but two units of a string. */
export function isLongerThan(text: string, lengthMax = Infinity): boolean {
  if (text.length <= lengthMax) return false
  return text.length > lengthMax * 2 || Array.from(text).length > lengthMax
}
