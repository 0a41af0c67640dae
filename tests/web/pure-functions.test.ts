// Pure functions of the browser app: amounts, dates, CSV cells, ranges, list layout.
import { describe, expect, test } from 'vitest'
import { browserName } from '../../web/features/account/browser-name.ts'
import { formatCsvCell } from '../../web/api/csv.ts'
import {
  listDays,
  getLastOfMonth,
  getMonday,
  addMonths,
  getIsoWeek,
  getComparisonRule,
  getDayInPreviousYear,
  getRangeInPreviousYear,
} from '../../web/api/days.ts'
import { parseRegistration } from '../../web/app/palette-commands.ts'
import { cell } from '../../web/app/search-params.ts'
import { parseTypedDay } from '../../web/api/typed-day.ts'
import { toDecimalText, parseTypedAmount } from '../../web/api/format.ts'
import { splitIds, toRanges } from '../../web/api/id-ranges.ts'
import { compareCells } from '../../web/components/compare-cells.ts'
import { createListLayout } from '../../web/features/approvals/list-layout.ts'
import { createSeries } from '../../web/features/revenue/chart-series.ts'
import { downloadColumns } from '../../web/features/revenue/download-columns.ts'
import { findPreset, getPresetRange } from '../../web/features/revenue/presets.ts'

test.each([
  ['12 500,50', 'nb', '12500.50'],
  ['12\u00A0500,5', 'nb', '12500.5'],
  ['12\u202F500', 'nb', '12500'],
  ['12.500,50', 'nb', '12500.50'],
  ['12500.5', 'nb', '12500.5'],
  ['1,234', 'nb', '1.234'],
  ['1,234.50', 'nb', '1234.50'],
  ['1,234.50', 'en', '1234.50'],
  ['12,345', 'en', '12345'],
  ['-1,234,567', 'en', '-1234567'],
  ['12,5', 'en', '12.5'],
  ['0,123', 'en', '0.123'],
  ['-0,250', 'en', '-0.250'],
  ['1,23.45', 'en', null],
  ['1,23.45', 'nb', null],
  ['12.500,50', 'en', '12500.50'],
  ['12.5', 'en', '12.5'],
  ['−7', 'nb', '-7'],
  ['-7', 'en', '-7'],
  ['kr 10', 'nb', '10'],
  ['0', 'nb', '0'],
  ['', 'nb', null],
  ['abc', 'en', null],
  ['1e5', 'en', null],
  ['1,2,3', 'nb', null],
  ['1,2,3', 'en', null],
  ['123456789012', 'nb', null],
] as const)('the typed amount «%s» (%s) is %s', (typed, language, amount) => {
  expect(parseTypedAmount(typed, language)).toBe(amount)
})

test.each([
  [125_005_000, '12500.5000'],
  [-1, '-0.0001'],
  [0, '0.0000'],
])('%i ten-thousandths are formatted as %s', (amount, text) => {
  expect(toDecimalText(amount)).toBe(text)
})

test.each([
  ['=1+1', `"'=1+1"`],
  ['+47', `"'+47"`],
  ['-kr', `"'-kr"`],
  ['@x', `"'@x"`],
  ['\tx', `"'\tx"`],
  ['＝1', `"'＝1"`],
  [-12.5, '-12,5'],
  [99_999_999.99, '99999999,99'],
  ['-12.5', `"'-12.5"`],
  ['12.50', '12.50'],
  ['a;b', '"a;b"'],
  ['a"b', '"a""b"'],
  ['plain', 'plain'],
])('a CSV cell is never a formula: %j becomes %j', (value, cell) => {
  expect(formatCsvCell(value)).toBe(cell)
})

test.each([
  ['days', '2026-11-16', '2026-10-17', '2026-11-15'],
  ['thisMonth', '2026-11-16', '2026-11-01', '2026-11-15'],
  ['thisMonth', '2026-11-01', '2026-11-01', '2026-11-01'],
  ['lastMonth', '2026-11-16', '2026-10-01', '2026-10-31'],
  ['lastMonth', '2027-01-01', '2026-12-01', '2026-12-31'],
  ['weeks', '2026-11-16', '2026-08-17', '2026-11-15'],
  ['months', '2026-11-01', '2025-11-01', '2026-10-31'],
  ['thisYear', '2026-01-01', '2026-01-01', '2026-01-01'],
  ['lastYear', '2026-11-16', '2025-01-01', '2025-12-31'],
] as const)('the preset %s on %s is %s to %s, and is recognized', (name, today, from, to) => {
  expect(getPresetRange(name, today)).toMatchObject({ from, to })
  expect(findPreset(getPresetRange(name, today), today)).toBe(name)
  expect(findPreset({ per: 'day', from: '2026-05-01', to: '2026-05-02' }, today)).toBe(null)
})

test.each([
  [[3], '3'],
  [[5, 3, 4, 9, 11, 10], '3-5,9-11'],
  [[], ''],
])('the ids %j are sent as %s', (ids, text) => {
  expect(toRanges(ids)).toBe(text)
})

test.each([
  [0, []],
  [100_000, [100_000]],
  [100_001, [100_000, 1]],
])('%i ids are sent in parts of at most 100,000: %j', (count, sizes) => {
  const ids = Array.from({ length: count }, (_, index) => index)
  const parts = splitIds(ids)
  expect(parts.map((part) => part.length)).toEqual(sizes)
  expect(parts.flat()).toEqual(ids)
})

test.each([
  ['2026-11-12', 'nb', '2026-11-12'],
  ['12.11', 'nb', '2026-11-12'],
  ['12.11.', 'nb', '2026-11-12'],
  ['12. nov', 'nb', '2026-11-12'],
  ['12 november 2024', 'en', '2024-11-12'],
  ['3.5.2025', 'nb', '2025-05-03'],
  ['12.11.26', 'nb', '2026-11-12'],
  ['1.2.36', 'nb', '2036-02-01'],
  ['1/2/37', 'en', '1937-02-01'],
  ['29.2.27', 'nb', null],
  ['1 des', 'nb', '2025-12-01'],
  ['1 dec', 'en', '2025-12-01'],
  ['1 des', 'en', null],
  ['30.2', 'nb', null],
  ['1-5-2026', 'en', '2026-05-01'],
  ['12', 'nb', null],
  ['P003', 'nb', null],
  ['121126', 'nb', '2026-11-12'],
  ['12112026', 'en', '2026-11-12'],
  ['310226', 'nb', null],
  ['12112', 'nb', null],
  ['2026-02-31', 'nb', null],
] as const)('the typed day «%s» (%s) is %s, with 16 November 2026 as today', (typed, language, day) => {
  expect(parseTypedDay(typed, '2026-11-16', language)).toBe(day)
})

test.each([
  ['2028-01-10', '29.2', null],
  ['2028-02-29', '29.2', '2028-02-29'],
  ['2029-01-10', '29.2', null],
  ['2027-01-01', '1.1', '2027-01-01'],
  ['2027-01-01', '31.12', '2026-12-31'],
])('on %s «%s» is the day %j', (today, typed, day) => {
  expect(parseTypedDay(typed, today, 'nb')).toBe(day)
})

test.each([
  ['2026-11-20.10', '2026-11-20.10'],
  ['2026-11-20.1.0', '2026-11-20.1.0'],
  ['.007', '.007'],
  ['2026-11-20.', '2026-11-20.'],
  ['2026-02-31.10', undefined],
  ['2026-11-20', undefined],
  ['20.10', undefined],
  [undefined, undefined],
])('the cell %j of the URL is read as %j', (written, read) => {
  expect(cell(written)).toBe(read)
})

test.each([
  ['registrer 3 kabel på P001', { quantity: '3', item: 'kabel', project: 'P001' }],
  ['Register -2.5 red cable on Main street', { quantity: '-2.5', item: 'red cable', project: 'Main street' }],
  ['registrer 1,5 gips', { quantity: '1,5', item: 'gips', project: '' }],
  ['registrer 0 gips', null],
  ['registrer gips', null],
  ['registrer', null],
])('the typed registration «%s» is %j', (typed, registration) => {
  expect(parseRegistration(typed, 'nb')).toEqual(registration)
})

describe('days', () => {
  test.each([
    ['2026-01-01', 1],
    ['2026-12-31', 53],
    ['2027-01-03', 53],
    ['2027-01-04', 1],
    ['2024-12-30', 1],
  ])('%s is in week %i', (day, week) => {
    expect(getIsoWeek(day)).toBe(week)
  })

  test('date arithmetic over months, weeks and years', () => {
    expect(getLastOfMonth('2024-02-10')).toBe('2024-02-29')
    expect(addMonths('2026-01-01', -2)).toBe('2025-11-01')
    expect(getMonday('2026-11-22')).toBe('2026-11-16')
    expect(getDayInPreviousYear('2026-11-16', 'weekdays')).toBe('2025-11-17')
    expect(getDayInPreviousYear('2026-11-01', 'dates')).toBe('2025-11-01')
    expect(listDays('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
  })
})

test.each([
  // By the day or by the month, a month has one comparison.
  ['2026-10-01', '2026-10-31', 'day', ['2025-10-01', '2025-10-31']],
  ['2026-10-01', '2026-10-31', 'month', ['2025-10-01', '2025-10-31']],
  ['2024-02-01', '2024-02-29', 'day', ['2023-02-01', '2023-02-28']],
  ['2026-10-02', '2026-10-31', 'day', ['2025-10-03', '2025-11-01']],
  ['2026-06-01', '2026-06-28', 'week', ['2025-06-02', '2025-06-29']],
] as const)('%s to %s, per %s, is compared with %j', (from, to, per, before) => {
  expect(getRangeInPreviousYear(from, to, getComparisonRule(from, per))).toEqual(before)
})

describe('chart series', () => {
  const sum = (date: string, departmentId: string, amount: number) => ({ date, departmentId, amount, records: 1 })
  const request = {
    sums: [sum('2026-10-01', '20', 1), sum('2026-10-01', '10', 2), sum('2026-10-02', 'x', 9)],
    before: [],
    rule: 'dates',
    per: 'day',
    from: '2026-10-01',
    to: '2026-10-31',
    department: undefined,
    directory: ['007', '10', '20'],
  } as const

  test('a department has the colour of its place in the directory, whatever is shown', () => {
    const shown = (changes: Partial<Parameters<typeof createSeries>[0]>) => {
      const { departments, colours } = createSeries({ ...request, ...changes })
      return departments.map((id) => [id, colours.get(id)])
    }
    expect(shown({})).toEqual([
      ['x', '--chart-4'],
      ['10', '--chart-2'],
      ['20', '--chart-3'],
    ])
    expect(shown({ department: '20' })).toEqual([['20', '--chart-3']])
    const many = Array.from({ length: 9 }, (_, index) => `d${index}`)
    expect(shown({ directory: many, sums: [sum('2026-10-01', 'd8', 1)] })).toEqual([['d8', '--chart-1']])
  })

  test('the sum of last year covers the whole period, also days that no bar is compared with', () => {
    const leapDay = createSeries({
      ...request,
      per: 'day',
      from: '2025-01-01',
      to: '2025-12-31',
      before: [sum('2024-02-28', '20', 5), sum('2024-02-29', '20', 7)],
    })
    expect(leapDay.sumBefore).toBe(12)
    // Of 500 days 400 have a bar.
    const long = createSeries({
      ...request,
      from: '2025-01-01',
      to: '2026-05-15',
      before: [sum('2024-01-01', '20', 5), sum('2025-05-15', '20', 7)],
    })
    expect([long.periods.length, long.sumBefore]).toEqual([400, 12])
  })
})

const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15'
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'

test.each([
  [`${windows} AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge, Windows'],
  [`${windows} AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36`, 'Chrome, Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox, Linux'],
  [`${mac} Version/19.0 Safari/605.1.15`, 'Safari, macOS'],
  [`${phone} CriOS/140.0 Mobile/15E148 Safari/604.1`, 'Chrome, iPhone'],
  [
    'Mozilla/5.0 (Linux; Android 15; SM-S921B) SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36',
    'Samsung Internet, Android',
  ],
  ['curl/8.0', ''],
  ['', ''],
])('the user agent %s is shown as «%s»', (agent, name) => {
  expect(browserName(agent)).toBe(name)
})

test.each([
  [[500], ['a+0:200', 'a+200:300']],
  // Small groups share a range, also with the rest of a large group.
  [
    [1, 150, 49, 1],
    ['a+0:200', 'd+0:1'],
  ],
  [
    [350, 40, 20],
    ['a+0:200', 'a+200:190', 'c+0:20'],
  ],
  [
    [299, 1],
    ['a+0:299', 'b+0:1'],
  ],
  [[], []],
])('lines of groups of %j are fetched in ranges %j', (counts, ranges) => {
  const groups = counts.map((count, index) => ({
    key: 'abcd'.charAt(index),
    name: null,
    count,
    amount: 0,
    from: '2026-11-02',
    to: '2026-11-02',
    anomalyCount: 0,
  }))
  const { lines, rangeOf } = createListLayout({ groups, steps: [] }, [], { group: 'project', sort: undefined })
  const found = Array.from({ length: lines }, (_, index) => rangeOf(index))
  expect([...new Set(found)].map(({ at, skip, count }) => `${at}+${skip}:${count}`)).toEqual(ranges)
  found.forEach(({ first, count }, index) => {
    expect(index).toBeGreaterThanOrEqual(first)
    expect(index).toBeLessThan(first + count)
  })
})

test.each([
  [[], 'Dato AvdelingID ipType Omsetning Merknad InntektsPlanId'],
  [
    [{ '@odata.etag': 'W/"1"', InntektsPlanId: 1, Dato: '2024-05-01', Merknad: null, Vaer: 'sol' }],
    'Dato AvdelingID ipType Omsetning Merknad Vaer InntektsPlanId',
  ],
])('a download of %j has the columns %s', (rows, columns) => {
  expect(downloadColumns(rows).join(' ')).toBe(columns)
})

describe('the rows of a list', () => {
  const sort = (values: readonly (string | number | null)[], sign: 1 | -1 = 1, language: 'nb' | 'en' = 'nb') =>
    values.toSorted((one, two) => compareCells(one, two, sign, language))

  test('numbers are sorted by value, and texts by the alphabet of the language', () => {
    expect(sort([10, -2, 9])).toEqual([-2, 9, 10])
    expect(sort(['Ås', 'Zoo', 'Ask'])).toEqual(['Ask', 'Zoo', 'Ås'])
    expect(sort(['Ås', 'Zoo', 'Ask'], 1, 'en')).toEqual(['Ås', 'Ask', 'Zoo'])
    expect(sort(['X10', 'X9'])).toEqual(['X9', 'X10'])
  })

  test('a number and a text are compared as texts', () => {
    expect(sort(['ukjent', 404, 'avvist', 200])).toEqual([200, 404, 'avvist', 'ukjent'])
  })

  test('empty values are last in both directions', () => {
    expect(sort([null, 2, '', 1])).toEqual([1, 2, null, ''])
    expect(sort([null, 2, '', 1], -1)).toEqual([2, 1, null, ''])
  })
})
