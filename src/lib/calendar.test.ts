import { describe, expect, it } from 'vitest'
import { dayNumber, formatDay, isValidDate } from './calendar.ts'

/** Every day from 1899-01-01 to 2200-12-31, told by counting months off one by one. */
function* everyDay(): Generator<{ year: number; month: number; day: number }> {
  const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  // Within these years 1900, 2100 and 2200 are the ones that a fourth year is no leap year.
  const isLeap = (year: number) => year % 4 === 0 && ![1900, 2100, 2200].includes(year)
  for (let year = 1899; year <= 2200; year += 1)
    for (const [index, length] of lengths.entries())
      for (let day = 1; day <= (index === 1 && isLeap(year) ? 29 : length); day += 1)
        yield { year, month: index + 1, day }
}

function text(year: number, month: number, day: number) {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

describe('the calendar', () => {
  it('accepts the existing days of 1900 to 2199, and no other', () => {
    const days = new Set<string>()
    for (const { year, month, day } of everyDay()) if (year >= 1900 && year <= 2199) days.add(text(year, month, day))
    expect(days.size).toBe(109_573)
    const wrong: string[] = []
    for (let year = 1899; year <= 2200; year += 1)
      for (let month = 0; month <= 13; month += 1)
        for (let day = 0; day <= 32; day += 1)
          if (isValidDate(year, month, day) !== days.has(text(year, month, day))) wrong.push(text(year, month, day))
    expect(wrong).toEqual([])
  })

  it('converts dates to days since 1970-01-01 and back', () => {
    let expected = dayNumber(1899, 1, 1)
    const wrong: string[] = []
    for (const { year, month, day } of everyDay()) {
      if (dayNumber(year, month, day) !== expected || formatDay(expected) !== text(year, month, day))
        wrong.push(text(year, month, day))
      expected += 1
    }
    expect(wrong).toEqual([])
    expect(dayNumber(1970, 1, 1)).toBe(0)
    expect(dayNumber(2000, 3, 1)).toBe(11_017)
  })
})
