// Exact decimals with four places, as integers of ten-thousandths (ADR 0004).
import { parseDigits } from './decimal-digits.ts'

/** Ten-thousandths in one. */
const one = 10_000

/** The exclusive limit of amounts: 10^11, in ten-thousandths. */
export const amountLimit = 100_000_000_000 * one

/**
 * The number in ten-thousandths, further places rounded half away from zero. Accepts JSON numbers and XML
 * decimals: `1234.5`, `-.5`, `+7`, `1.5e3`.
 */
export function parseDecimal(text: string): number | 'malformed' | 'outOfRange' {
  return parseShortDecimal(text) ?? parseAnyDecimal(text)
}

/** Of few digits, with a minus and up to four places: nearly every amount. Null for any other text. */
function parseShortDecimal(text: string): number | null {
  const isNegative = text.charCodeAt(0) === minus
  const start = isNegative ? 1 : 0
  let point = text.length
  let number = 0
  for (let index = start; index < text.length; index += 1) {
    const digit = text.charCodeAt(index) - zero
    if (digit >= 0 && digit <= 9) number = number * 10 + digit
    else if (digit === pointDigit && point === text.length) point = index
    else return null
  }
  const places = Math.max(0, text.length - point - 1)
  if (point === start || point > shortDigitsMax || places > 4) return null
  const magnitude = number * (powersOfTen[4 - places] ?? 0)
  // Avoids -0.
  return isNegative && magnitude > 0 ? -magnitude : magnitude
}

/** Below the limit of amounts with any sign and places. */
const shortDigitsMax = 10
const powersOfTen = [1, 10, 100, 1000, 10_000]

function parseAnyDecimal(text: string): number | 'malformed' | 'outOfRange' {
  if (!decimal.test(text)) return 'malformed'
  const { isNegative, digits, point } = parseDigits(text)
  const magnitude = roundedAt(digits, point)
  if (magnitude >= amountLimit) return 'outOfRange'
  // Avoids -0.
  return isNegative && magnitude > 0 ? -magnitude : magnitude
}

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

/** The shortest JSON number, without an exponent. */
export function formatDecimal(tenThousandths: number): string {
  const magnitude = Math.abs(tenThousandths)
  const places = magnitude % one
  const whole = String((magnitude - places) / one)
  const sign = tenThousandths < 0 ? '-' : ''
  if (places === 0) return sign + whole
  let end = 5
  const digits = String(one + places)
  while (digits.charCodeAt(end - 1) === zero) end -= 1
  return `${sign}${whole}.${digits.slice(1, end)}`
}

/**
 * A JSON number as text without an exponent, an integer as digits only: `10.0` and `1e1` become `10`, `1.50` is
 * unchanged. Null if an exponent makes it longer than `lengthMax`.
 */
export function numberAsText(json: string, lengthMax: number): string | null {
  if (/\.\d*[1-9]/.test(json) && !/e/i.test(json)) return json
  const { isNegative, digits, point } = parseDigits(json)
  if (digits === '') return '0'
  if (Math.abs(point) > lengthMax) return null
  const sign = isNegative ? '-' : ''
  if (point >= digits.length) return sign + digits.padEnd(point, '0')
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

/** The product of two amounts, rounded half away from zero to two places, in ten-thousandths. */
export function multiplyAmounts(one: number, other: number): number | 'outOfRange' {
  const product = BigInt(one) * BigInt(other)
  const magnitude = product < 0n ? -product : product
  // The product is in units of 10^-8: a hundredth is a million of them.
  const hundredths = (magnitude + 500_000n) / 1_000_000n
  const tenThousandths = Number(hundredths * 100n)
  if (tenThousandths >= amountLimit) return 'outOfRange'
  return product < 0n && tenThousandths > 0 ? -tenThousandths : tenThousandths
}

/** A sum of ten-thousandths beyond the safe integers, with four places. */
export function formatLargeDecimal(tenThousandths: bigint): string {
  const magnitude = tenThousandths < 0n ? -tenThousandths : tenThousandths
  const digits = magnitude.toString().padStart(5, '0')
  return `${tenThousandths < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`
}

const zero = 48
const minus = 45
/** The point, counted from the digit zero. */
const pointDigit = -2

/**
 * Digits with the decimal point after the first `point` of them, in ten-thousandths; Infinity if out of range. They have no leading
 * zeros, and zero has none at all: it would take as many steps as its exponent says.
 */
function roundedAt(digits: string, point: number): number {
  const last = point + 4
  let number = 0
  for (let index = 0; index < last; index += 1) {
    const digit = index < digits.length ? digits.charCodeAt(index) - zero : 0
    number = number * 10 + digit
    if (number >= amountLimit) return Number.POSITIVE_INFINITY
  }
  const next = last >= 0 ? digits.charCodeAt(last) - zero : 0
  return next >= 5 ? number + 1 : number
}
