// SQL functions that SQLite lacks: exact numbers beyond 64 bits, and Unicode text (ADR 0021).
import type Database from 'better-sqlite3'
import { dayNumber, formatDay } from '../../lib/calendar.ts'
import { formatTimestamp } from '../../lib/timestamp.ts'
import { sumOutOfRangeError } from '../../engine/sql/sum-out-of-range.ts'

/** A null argument gives null. */
export function addFunctions(database: Database.Database): void {
  const options = { deterministic: true, varargs: true }
  for (const [name, work] of Object.entries(functions))
    database.function(name, options, (...args: Argument[]) => (args.includes(null) ? null : work(...args)))
  for (const [name, work] of Object.entries(sums))
    database.function(name, { ...options, safeIntegers: true }, (...args: (bigint | null)[]) => {
      const given = args.filter((one) => one !== null)
      return given.length < args.length ? null : work(...given)
    })
}

const dayMicros = 86_400_000_000

type Argument = string | number | null

function toSafeInteger(number: number): number | null {
  // A sum or product of integers that is a safe integer is exact. Adding 0 removes the sign of zero.
  return Number.isSafeInteger(number) ? number + 0 : null
}

function binary(work: (one: number, other: number) => number | null) {
  return (...[one, other]: Argument[]): number | null => work(Number(one), Number(other))
}

/** one / other, rounded half away from zero. */
function divideRounded(dividend: bigint, divisor: bigint): number | null {
  if (divisor === 0n) return null
  const isNegative = dividend < 0n !== divisor < 0n
  const [one, other] = [magnitude(dividend), magnitude(divisor)]
  const quotient = Number((2n * one + other) / (2n * other))
  return toSafeInteger(isNegative ? -quotient : quotient)
}

function magnitude(number: bigint): bigint {
  return number < 0n ? -number : number
}

/** Computed by remainders, because a quotient of floats may be rounded to the wrong side of a half. */
function floorTo(value: number, unit: number): number {
  return value - (((value % unit) + unit) % unit)
}

function unary(round: (value: number, unit: number) => number) {
  return (...[value, unit]: Argument[]): number | null => toSafeInteger(round(Number(value), Number(unit)))
}

/** Arguments and results are safe integers; a result that is not is null. */
const functions: Readonly<Record<string, (...args: Argument[]) => Argument>> = {
  exact_sum: binary((one, other) => toSafeInteger(one + other)),
  exact_difference: binary((one, other) => toSafeInteger(one - other)),
  exact_product: binary((one, other) => toSafeInteger(one * other)),
  exact_scaled_product: binary((one, other) => divideRounded(BigInt(one) * BigInt(other), 10_000n)),
  exact_quotient: binary((one, other) => (other === 0 ? null : Number(BigInt(one) / BigInt(other)))),
  exact_ratio: binary((one, other) => divideRounded(BigInt(one) * 10_000n, BigInt(other))),
  exact_remainder: binary((one, other) => (other === 0 ? null : toSafeInteger(one % other))),
  seconds_to_decimal: (value) => divideRounded(BigInt(Number(value)), 100n),
  rounded_to: unary((value, unit) => Math.sign(value) * floorTo(Math.abs(value) + unit / 2, unit)),
  floored_to: unary(floorTo),
  raised_to: unary((value, unit) => -floorTo(-value, unit)),
  text_starts: (text, part) => Number(String(text).startsWith(String(part))),
  text_ends: (text, part) => Number(String(text).endsWith(String(part))),
  text_lower: (text) => String(text).toLowerCase(),
  text_upper: (text) => String(text).toUpperCase(),
  // The same as on PostgreSQL in `engine/sql/json-expressions.ts`.
  percent_encoded: (text) => encodeURIComponent(String(text).toWellFormed()),
  text_part: (text, start, length) => substring(Array.from(String(text)), Number(start), length),
  json_number: (value, unit) => serializeDecimal(Number(value), Number(unit)),
  json_duration: (value) => {
    const sign = Number(value) < 0 ? '-' : ''
    return `"${sign}PT${serializeDecimal(Math.abs(Number(value)), 1_000_000)}S"`
  },
  json_timestamp: (value) => `"${formatTimestamp(Number(value))}"`,
  json_time: (value) => `"${formatTimestamp(Number(value)).slice(11, -1)}"`,
  date_plus: (date, duration) => {
    const [year = NaN, month = NaN, day = NaN] = String(date).split('-').map(Number)
    const text = formatDay(dayNumber(year, month, day) + Math.floor(Number(duration) / dayMicros))
    return text >= '0001' && /^\d{4}-/.test(text) ? text : null
  },
}

/** With all digits, without trailing zeros. */
function serializeDecimal(value: number, unit: number): string {
  const magnitude = Math.abs(value)
  const fraction = magnitude % unit
  const whole = `${value < 0 ? '-' : ''}${(magnitude - fraction) / unit}`
  return fraction === 0
    ? whole
    : `${whole}.${String(unit + fraction)
        .slice(1)
        .replace(/0+$/, '')}`
}

/** Counts characters from 0, or from the end where `start` is negative. */
function substring(characters: readonly string[], start: number, length?: Argument): string {
  const from = start < 0 ? Math.max(characters.length + start, 0) : start
  const end = length === undefined ? undefined : from + Math.max(Number(length), 0)
  return characters.slice(from, end).join('')
}

/**
 * Sums and averages of more than 64 bits (ADR 0026). A sum has two parts: that of the lowest twenty bits, and that of the bits
 * above.
 */
const sums: Readonly<Record<string, (...args: bigint[]) => number>> = {
  exact_total: (whole, part) => inRange(Number(combine(whole, part))),
  exact_average: (whole, part, count = 1n, scale = 1n) => {
    const average = divideRounded(combine(whole, part) * scale, count)
    return inRange(average ?? Infinity)
  },
  sum_is_below: (whole, part, amount = 0n) => Number(combine(whole, part) < amount),
  percent_is_below: (whole, part, wholeOfAll, partOfAll, amount = 0n) =>
    Number(combine(whole, part) * 1_000_000n < combine(wholeOfAll, partOfAll) * amount),
}

function combine(whole = 0n, part = 0n): bigint {
  return (whole << 20n) + part
}

function inRange(number: number): number {
  if (Number.isSafeInteger(number)) return number + 0
  throw sumOutOfRangeError()
}
