// Parses a body's value by the type of its field.
import type { FaultCode } from '../../../errors/catalog.ts'
import { type DateProblem } from '../../../lib/civil-date.ts'
import { amountLimit, numberAsText, readDecimal, writeDecimal } from '../../../lib/decimal.ts'
import { readDateTime } from '../../../lib/date-time.ts'
import { readDuration, writeDuration } from '../../../lib/duration.ts'
import { readStamp } from '../../../lib/timestamp.ts'
import { numberOfMembers } from '../../model/enumeration.ts'
import { kindOfType, type Field, type TypeKind } from '../../model/resource.ts'
import { phrase, type PhraseCode, type Says } from '../../../errors/messages.ts'
import { kindOf, NumberText, UnfitText, type Written } from './row-sink.ts'

/** A value in its internal representation; null clears the field. */
export type Value = string | number | boolean | null

/** Why a value is invalid; the caller adds the name of the field. */
export class Unacceptable {
  readonly code: FaultCode
  readonly says: Says

  constructor(code: FaultCode, says: Says = {}) {
    this.code = code
    this.says = says
  }
}

export interface ValueRules {
  readonly readDate: (text: string) => string | DateProblem
  readonly zone: string
  /** XML often has whitespace around a value. */
  readonly trims: boolean
}

export function readValue(
  written: Exclude<Written, null>,
  field: Field,
  rules: ValueRules,
): Value | Unacceptable {
  if (written instanceof UnfitText)
    return new Unacceptable('InvalidCharacter', { character: written.character })
  const kind = kindOfType(field.type)
  if (rules.trims && typeof written === 'string' && kind !== 'text')
    return read[kind](written.trim(), field, rules)
  return read[kind](written, field, rules)
}

/** The key of a record; undefined for `0`, `"0"` and `""`, which clients send for no key (interface 2.1). */
export function readKey(
  written: Exclude<Written, null>,
  field: Field,
  rules: ValueRules,
): Value | Unacceptable | undefined {
  if (typeof written === 'string' && written.trim() === '') return undefined
  const key = readValue(written, field, rules)
  return key === 0 ? undefined : key
}

/** Zero or empty, which clients send for no key. */
export function isNoKey(written: Exclude<Written, null>): boolean {
  return /^-?0*(\.0+)?$/.test(digitsOf(written)?.trim() ?? 'none')
}

type Read = (
  written: Exclude<Written, null | UnfitText>,
  field: Field,
  rules: ValueRules,
) => Value | Unacceptable

const read: Record<TypeKind, Read> = {
  integer: (written) => {
    const digits = digitsOf(written)
    if (digits === null) return wrongType('aWholeNumber', written)
    // Some clients have no integers and send 7.0.
    if (!/^-?\d+(\.0+)?$/.test(digits)) return wrongType('aWholeNumber', written)
    // Adding zero turns -0 into 0.
    const number = Number(digits) + 0
    if (Number.isSafeInteger(number)) return number
    return new Unacceptable('NumberOutOfRange', {
      min: Number.MIN_SAFE_INTEGER,
      max: Number.MAX_SAFE_INTEGER,
    })
  },

  decimal: (written) => {
    const digits = digitsOf(written)
    if (digits === null) return wrongType('aNumber', written)
    const number = readDecimal(digits)
    if (number === 'malformed') return new Unacceptable('InvalidNumber')
    return number === 'outOfRange' ? new Unacceptable('NumberOutOfRange', amountRange) : number
  },

  date: (written, _, { readDate, zone }) => {
    if (typeof written !== 'string') return wrongType('aDateAsText', written)
    const date = readDate(written)
    if (typeof date === 'string') return date
    return date.problem === 'invalid'
      ? new Unacceptable('InvalidDate')
      : new Unacceptable('AmbiguousDate', { zone })
  },

  stamp: (written) => {
    if (typeof written !== 'string') return wrongType('aDateAsText', written)
    return readStamp(written) ?? new Unacceptable('InvalidDate')
  },

  timeOfDay: (written) => {
    if (typeof written !== 'string') return wrongType('aTimeOfDay', written)
    return readDateTime(`2000-01-01T${written}`)?.timeOfDay ?? new Unacceptable('InvalidDate')
  },

  duration: (written) => {
    const duration = typeof written === 'string' ? readDuration(written) : null
    if (duration === null) return wrongType('aDuration', written)
    return Number.isSafeInteger(duration.micros)
      ? duration.micros
      : new Unacceptable('NumberOutOfRange', durationRange)
  },

  enum: (written, { type }) => {
    if (typeof written !== 'string' || typeof type === 'string')
      return wrongType('aMember', written)
    return (
      numberOfMembers(type, written) ??
      new Unacceptable('InvalidValue', {
        problem: phrase('noSuchMember', { name: written.slice(0, 60) }),
      })
    )
  },

  /** A number becomes its digits: department codes are often numeric. */
  text: (written, field) => {
    const max = field.lengthMax ?? writtenOutMax
    const text = written instanceof NumberText ? numberAsText(written.digits, max) : written
    if (text === null) return new Unacceptable('ValueTooLong', { max })
    if (typeof text !== 'string') return wrongType('aText', written)
    if (text === '') return readEmpty(field)
    if (upperControl.test(text))
      return new Unacceptable('InvalidCharacter', { character: upperControlIn(text) })
    return isLongerThan(text, field.lengthMax)
      ? new Unacceptable('ValueTooLong', { max: field.lengthMax ?? 0 })
      : text
  },

  boolean: (written) => {
    if (written === true || written === 'true') return true
    if (written === false || written === 'false') return false
    return wrongType('trueOrFalse', written)
  },
}

/** The maximum length of a number's text in a field without a limit. */
const writtenOutMax = 1000

/** DEL and C1 controls: legal in JSON and XML, but nearly always a sign of a wrong encoding. */
const upperControl = /[\u007F-\u009F]/

function upperControlIn(text: string): string {
  const code = upperControl.exec(text)?.[0].charCodeAt(0) ?? 0
  return `U+00${code.toString(16).toUpperCase()}`
}

const amountRange: Says = {
  min: writeDecimal(1 - amountLimit),
  max: writeDecimal(amountLimit - 1),
}

const durationRange: Says = {
  min: writeDuration(Number.MIN_SAFE_INTEGER),
  max: writeDuration(Number.MAX_SAFE_INTEGER),
}

function digitsOf(written: Written): string | null {
  if (typeof written === 'string') return written
  return written instanceof NumberText ? written.digits : null
}

function wrongType(expected: PhraseCode, written: Written): Unacceptable {
  return new Unacceptable('InvalidType', { expected: phrase(expected), found: kindOf(written) })
}

/** An empty string clears a field, unless the field is required or its null is stored as ''. */
function readEmpty(field: Field): null | Unacceptable {
  return field.optional && !field.blankWhenNull
    ? null
    : new Unacceptable('InvalidValue', { problem: phrase('itIsEmpty') })
}

/** Counts code points: an emoji is one character, but two units of a string. */
function isLongerThan(text: string, lengthMax: number | undefined): boolean {
  if (lengthMax === undefined || text.length <= lengthMax) return false
  return text.length > lengthMax * 2 || Array.from(text).length > lengthMax
}
