// Exact decimals with four places, as integers of ten-thousandths (ADR 0004).
import { parseDigits } from './decimal-digits.ts'
import { endOfDigits } from './digits.ts'

/** Ten-thousandths in one. */
const one = 10_000

/** The exclusive limit of amounts: 10^11, in ten-thousandths. */
export const amountLimit = 100_000_000_000 * one

/**
 * The number in ten-thousandths, further places rounded half away from zero. Accepts JSON numbers and XML
 * decimals: `1234.5`, `-.5`, `+7`, `1.5e3`.
 */
export function parseDecimal(text: string): number | 'malformed' | 'outOfRange' {
  const isNegative = text.charCodeAt(0) === minus
  const start = isNegative || text.charCodeAt(0) === plus ? 1 : 0
  const point = endOfDigits(text, start)
  const fraction = text.charCodeAt(point) === dot ? point + 1 : point
  const end = fraction === point ? point : endOfDigits(text, fraction)
  if (point - start + end - fraction === 0) return 'malformed'
  const exponent = end === text.length ? 0 : parseExponent(text, end)
  if (exponent === null) return 'malformed'
  const magnitude = roundedAt(text.slice(start, point) + text.slice(fraction, end), point - start + exponent)
  if (magnitude >= amountLimit) return 'outOfRange'
  // Avoids -0.
  return isNegative && magnitude > 0 ? -magnitude : magnitude
}

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
const plus = 43
const minus = 45
const dot = 46

/** Digits with the decimal point after the first `point` of them, in ten-thousandths; Infinity if out of range. */
function roundedAt(digits: string, point: number): number {
  const last = point + 4
  let number = 0
  for (let index = 0; index < last; index += 1) {
    const digit = index < digits.length ? digits.charCodeAt(index) - zero : 0
    number = number * 10 + digit
    if (number >= amountLimit) return Number.POSITIVE_INFINITY
    // Zero stays zero with any exponent.
    if (number === 0 && index >= digits.length) return 0
  }
  const next = last >= 0 ? digits.charCodeAt(last) - zero : 0
  return next >= 5 ? number + 1 : number
}

/** The exponent, clamped beyond the range of amounts, or null. */
function parseExponent(text: string, at: number): number | null {
  if (text[at] !== 'e' && text[at] !== 'E') return null
  const sign = text.charCodeAt(at + 1)
  const start = sign === minus || sign === plus ? at + 2 : at + 1
  const end = endOfDigits(text, start)
  if (end === start || end !== text.length) return null
  const exponent = Math.min(Number(text.slice(start, end)), text.length + 100)
  return sign === minus ? -exponent : exponent
}
