import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountLimit, numberAsText, parseDecimal, formatDecimal } from './decimal.ts'

describe('a text that writes a number', () => {
  it.each([
    ['0', 0],
    ['-0', 0],
    ['-0.00004', 0],
    ['1', 10_000],
    ['1234.50', 12_345_000],
    ['1234.5000000000000000000000', 12_345_000],
    ['0.1', 1_000],
    ['0.30000000000000004', 3_000],
    ['0.12345', 1_235],
    ['-0.12345', -1_235],
    ['0.123449999999999999999999', 1_234],
    ['0.00005', 1],
    ['0.00004999', 0],
    ['1e3', 10_000_000],
    ['1.5E+3', 15_000_000],
    ['1234.5e-2', 123_450],
    ['1e-30', 0],
    ['5e-5', 1],
    ['49e-6', 0],
    ['0e999999999999999999999', 0],
    ['1e-999999999999999999999', 0],
    ['99999999999.9999', 999_999_999_999_999],
    ['-99999999999.9999', -999_999_999_999_999],
    ['99999999999.99994', 999_999_999_999_999],
    ['0.0000000000000000000000001e25', 10_000],
    ['007.50', 75_000],
    ['+5', 50_000],
    ['.5', 5_000],
    ['5.', 50_000],
  ])('%s is %d ten-thousandths', (text, expected) => {
    expect(parseDecimal(text)).toBe(expected)
  })

  it.each([
    '100000000000',
    '-100000000000',
    '99999999999.99995',
    '1e11',
    '1e400',
    '-1e400',
    '1e99999999999999999999',
    '9007199254740993',
    '9223372036854775808',
    '1234567890123456789012345',
  ])('%s is out of range', (text) => {
    expect(parseDecimal(text)).toBe('outOfRange')
  })

  it.each([
    '',
    ' ',
    '-',
    '+',
    '.',
    '-.',
    'abc',
    '12,5',
    '1 234',
    '1_000',
    '0x10',
    '1e',
    '1e+',
    'e5',
    '1e5.0',
    '1e5e5',
    '--1',
    '1-',
    '1.2.3',
    ' 1',
    '1 ',
    'NaN',
    'Infinity',
    '-Infinity',
    'true',
    '１２',
    '1\u0000',
  ])('%j is no number', (text) => {
    expect(parseDecimal(text)).toBe('malformed')
  })
})

describe('any decimal', () => {
  const digits = (min: number, max: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength: min, maxLength: max })

  it('is rounded half away from zero, like a reference with big integers', () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        digits(1, 14),
        digits(0, 25),
        fc.integer({ min: -30, max: 30 }),
        (isNegative, whole, fraction, exponent) => {
          const text = `${isNegative ? '-' : ''}${whole}${fraction && `.${fraction}`}e${exponent}`
          expect(parseDecimal(text)).toBe(expected(isNegative, whole, fraction, exponent))
        },
      ),
      { numRuns: 5_000 },
    )
  })

  it('is parsed from its shortest text unchanged', () => {
    const amount = fc.integer({ min: 1 - amountLimit, max: amountLimit - 1 })
    fc.assert(
      fc.property(amount, (tenThousandths) => {
        const text = formatDecimal(tenThousandths)
        expect(text).toMatch(/^(0|-?[1-9]\d*|-?(0|[1-9]\d*)\.\d{0,3}[1-9])$/)
        expect(parseDecimal(text)).toBe(tenThousandths)
        // Fifteen digits survive a float, so the platform's own reader agrees.
        expect(String(Number(text))).toBe(text)
      }),
      { numRuns: 20_000 },
    )
  })

  it('of any form never throws', () => {
    const text = fc.string({ unit: fc.constantFrom(...'0159+-.eE ,x'.split('')), maxLength: 30 })
    fc.assert(
      fc.property(text, (text) => {
        const read = parseDecimal(text)
        if (typeof read === 'number') expect(Math.abs(read)).toBeLessThan(amountLimit)
      }),
    )
  })
})

function expected(isNegative: boolean, whole: string, fraction: string, exponent: number) {
  const places = fraction.length - exponent - 4
  const digits = BigInt(whole + fraction)
  const scale = 10n ** BigInt(Math.abs(places))
  const rounded = places <= 0 ? digits * scale : (digits + scale / 2n) / scale
  if (rounded >= BigInt(amountLimit)) return 'outOfRange'
  return Number(isNegative && rounded > 0n ? -rounded : rounded)
}

describe('a JSON number as a text', () => {
  it.each([
    ['10', '10'],
    ['10.0', '10'],
    ['10.50', '10.50'],
    ['-0.0', '0'],
    ['0e99999', '0'],
    ['-7.00', '-7'],
    ['1e9', '1000000000'],
    ['1e10', null],
    ['120e-1', '12'],
    ['-1.25E+1', '-12.5'],
    ['0.05e1', '0.5'],
    ['1e-3', '0.001'],
    ['1e-99999999999', null],
    ['1e99999999999', null],
  ])('%s is %s', (json, expected) => {
    expect(numberAsText(json, 10)).toBe(expected)
  })

  it('of any length is read once', () => {
    const zeros = '0'.repeat(1_000_000)
    expect(numberAsText(`1${zeros}1.0`, 10)).toBeNull()
    expect(numberAsText(`1${zeros}e-1000000`, 10)).toBe('1')
  })
})
