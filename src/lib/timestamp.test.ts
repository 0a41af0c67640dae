import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTimestamp, formatTimestamp } from './timestamp.ts'

const moment = Date.UTC(2024, 4, 1, 10, 0, 0) * 1000

describe('a moment', () => {
  it.each([
    ['2024-05-01T10:00:00.123456Z', moment + 123_456],
    ['2024-05-01T10:00:00.1234569Z', moment + 123_456],
    ['2024-05-01T10:00:00.5Z', moment + 500_000],
    ['2024-05-01T10:00:00', moment],
    ['2024-05-01T12:00:00+02:00', moment],
    ['2024-05-01T05:30:00-04:30', moment],
    ['2024-05-01', moment - 36_000_000_000],
    ['1969-12-31T23:59:59.999999Z', -1],
  ])('%s is %d microseconds after 1970', (text, microseconds) => {
    expect(parseTimestamp(text)).toBe(microseconds)
  })

  it.each(['', 'now', '2024-05-01T25:00:00Z', '2024-02-30T00:00:00Z', '2300-01-01T00:00:00Z'])(
    '%j is refused',
    (text) => {
      expect(parseTimestamp(text)).toBeNull()
    },
  )

  it('is parsed from its text unchanged, and agrees with Date to the millisecond', () => {
    const microseconds = fc.integer({ min: Date.UTC(1900, 0, 1) * 1000, max: Date.UTC(2200, 0, 1) * 1000 - 1 })
    fc.assert(
      fc.property(microseconds, (microseconds) => {
        const text = formatTimestamp(microseconds)
        expect(parseTimestamp(text)).toBe(microseconds)
        expect(`${text.slice(0, 23)}Z`).toBe(new Date(Math.floor(microseconds / 1000)).toISOString())
      }),
      { numRuns: 5_000 },
    )
  })
})
