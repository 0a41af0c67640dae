// Decimal digits of number literals, of any length, without floating point.

/** The number is 0.DIGITS times 10 to the power of `point`; zero has no digits and point 0. */
export interface DecimalDigits {
  readonly isNegative: boolean
  /** Without leading and trailing zeros. */
  readonly digits: string
  readonly point: number
}

/** Parses a decimal number, with or without a sign and an exponent. */
export function parseDigits(text: string): DecimalDigits {
  const isNegative = text.startsWith('-')
  const start = isNegative || text.startsWith('+') ? 1 : 0
  const exponentAt = text.search(/e/i)
  const end = exponentAt === -1 ? text.length : exponentAt
  const pointAt = text.indexOf('.')
  const whole = text.slice(start, pointAt === -1 ? end : pointAt)
  const written = pointAt === -1 ? whole : whole + text.slice(pointAt + 1, end)

  let first = 0
  while (written[first] === '0') first++
  let last = written.length
  while (last > first && written[last - 1] === '0') last--
  if (first === last) return { isNegative: false, digits: '', point: 0 }
  const exponent = exponentAt === -1 ? 0 : Number(text.slice(exponentAt + 1))
  return { isNegative, digits: written.slice(first, last), point: whole.length - first + exponent }
}

/** Negative, zero or positive, as the first number is less than, equal to or greater than the second. */
export function compareDigits(one: DecimalDigits, other: DecimalDigits): number {
  const [a, b] = [signOf(one), signOf(other)]
  if (a !== b) return a - b
  const byPoint = one.point - other.point
  const bySize = byPoint === 0 ? compareTexts(one.digits, other.digits) : byPoint
  return a < 0 ? -bySize : bySize
}

function signOf({ isNegative, digits }: DecimalDigits): number {
  return digits === '' ? 0 : isNegative ? -1 : 1
}

/** Digits after a common decimal point compare like text: 5 is greater than 49. */
function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
