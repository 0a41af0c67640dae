import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayNumber, formatDay } from './calendar.ts'
import { startOfDate, parseDate, parseDateWithoutZone } from './calendar-date.ts'

const invalid = { problem: 'invalid' }
const ambiguous = { problem: 'ambiguous' }
const oslo = 'Europe/Oslo'

describe('a date without zone', () => {
  it.each([
    ['2013-01-01', '2013-01-01'],
    ['2013-01-01T00:00:00', '2013-01-01'],
    ['2013-01-01T23:59:59', '2013-01-01'],
    ['2013-01-01T00:00', '2013-01-01'],
    ['2013-01-01 12:30:00', '2013-01-01'],
    ['2013-01-01t12:30:00', '2013-01-01'],
    ['2013-01-01T12:30:00.1', '2013-01-01'],
    ['2013-01-01T12:30:00.1234567', '2013-01-01'],
    ['2013-01-01T12:30:00.123456789', '2013-01-01'],
    ['1900-01-01', '1900-01-01'],
    ['2199-12-31', '2199-12-31'],
    ['2024-02-29', '2024-02-29'],
  ])('%s is %s', (text, date) => {
    expect(parseDate(text, oslo)).toBe(date)
    expect(parseDateWithoutZone(text)).toBe(date)
  })
})

describe('a text that is no date', () => {
  it.each([
    '',
    'abc',
    '2024',
    '2024-05',
    '2024-5-1',
    '20240501',
    '2024/05/01',
    '01.05.2024',
    '2024-05-01T',
    '2024-05-01Z',
    '2024-05-01T10',
    '2024-05-01T10:',
    '2024-05-01T1:00',
    '2024-05-01T24:00:00',
    '2024-05-01T23:60:00',
    '2024-05-01T23:59:60',
    '2024-05-01T10:00:00.',
    '2024-05-01T10:00:00,5',
    '2024-05-01T10:00.5',
    '2024-05-01T10:00:00ZZ',
    '2024-05-01T10:00:00 Z',
    '2024-05-01T10:00:00+',
    '2024-05-01T10:00:00+2',
    '2024-05-01T10:00:00+2:00',
    '2024-05-01T10:00:00+02:0',
    '2024-05-01T10:00:00+02:60',
    '2024-05-01T10:00:00+15:00',
    '2024-05-01T10:00:00+02:00:00',
    '2024-05-01T10:00:00+02:00[Europe/Oslo]',
    '2024-05-01T10:00:00 +02:00',
    '2024-05-01X10:00:00',
    '2024-05-01  10:00:00',
    ' 2024-05-01',
    '2024-05-01 ',
    '+2024-05-01',
    '-2024-05-01',
    '2024-02-30',
    '2023-02-29',
    '2024-02-31',
    '2024-13-01',
    '2024-00-10',
    '2024-05-00',
    '2024-05-32',
    '0001-01-01',
    '0000-01-01',
    '1899-12-31',
    '2200-01-01',
    '10000-01-01',
    '２０２４-05-01',
    '/Date(1704063600000)/',
  ])('%j is refused', (text) => {
    expect(parseDate(text, oslo)).toEqual(invalid)
    expect(parseDateWithoutZone(text)).toEqual(invalid)
  })
})

describe('a date with an offset', () => {
  it.each(['+02:00', '+0200', '+02', '-05:00', '+14:00', '-14:00', '+05:30', '-00:30', '+01:00'])(
    'keeps the written day at every hour (%s)',
    (offset) => {
      for (let hour = 0; hour < 24; hour += 1) {
        const text = `2024-05-01T${String(hour).padStart(2, '0')}:59:59.9999999${offset}`
        expect(parseDate(text, oslo)).toBe('2024-05-01')
      }
    },
  )

  it.each(['Z', 'z', '+00:00', '-00:00', '+0000', '+00'])('takes %s as UTC', (zone) => {
    expect(parseDate(`2024-04-30T22:00:00${zone}`, oslo)).toBe('2024-05-01')
    expect(parseDate(`2024-04-30T22:30:00${zone}`, oslo)).toEqual(ambiguous)
    expect(parseDate(`2024-04-30T12:00:00${zone}`, oslo)).toBe('2024-04-30')
  })

  it('is refused, whatever the offset, for a company that accepts no time zones', () => {
    for (const zone of ['Z', '+00:00', '+02:00'])
      expect(parseDateWithoutZone(`2024-05-01T12:00:00${zone}`)).toEqual(ambiguous)
  })
})

describe('a moment in UTC', () => {
  it.each([
    // toISOString() of a local day.
    [oslo, '2024-04-30T22:00:00.000Z', '2024-05-01'],
    [oslo, '2024-01-14T23:00:00.000Z', '2024-01-15'],
    [oslo, '2024-12-31T23:00:00Z', '2025-01-01'],
    [oslo, '2024-02-28T23:00:00Z', '2024-02-29'],
    ['America/New_York', '2024-05-01T04:00:00.000Z', '2024-05-01'],
    ['America/New_York', '2024-01-15T05:00:00.000Z', '2024-01-15'],
    ['Asia/Kolkata', '2024-04-30T18:30:00.000Z', '2024-05-01'],
    ['Australia/Lord_Howe', '2024-06-30T13:30:00.000Z', '2024-07-01'],
    ['Australia/Lord_Howe', '2024-12-31T13:00:00.000Z', '2025-01-01'],
    ['Pacific/Kiritimati', '2024-04-30T10:00:00Z', '2024-05-01'],
    ['UTC', '2024-05-01T23:59:59.999Z', '2024-05-01'],
    // The clocks skipped midnight: the day began at one.
    ['America/Sao_Paulo', '2018-11-04T03:00:00Z', '2018-11-04'],
    ['Asia/Beirut', '2024-03-30T22:00:00Z', '2024-03-31'],
    // Midnight came twice.
    ['America/Havana', '2024-11-03T04:00:00Z', '2024-11-03'],
    ['America/Havana', '2024-11-03T05:00:00Z', '2024-11-03'],
    // The written day, because it is the company's day too.
    [oslo, '2024-05-01T00:00:00Z', '2024-05-01'],
    [oslo, '2024-05-01T21:59:59.999Z', '2024-05-01'],
    [oslo, '1900-01-01T00:00:00Z', '1900-01-01'],
    [oslo, '2199-12-31T12:00:00Z', '2199-12-31'],
  ])('in %s, %s is %s', (zone, text, date) => {
    expect(parseDate(text, zone)).toBe(date)
  })

  it.each([
    [oslo, '2024-04-30T22:30:00Z'],
    [oslo, '2024-04-30T22:00:01Z'],
    [oslo, '2024-04-30T22:00:00.001Z'],
    [oslo, '2024-04-30T23:00:00Z'],
    [oslo, '2024-01-14T23:30:00Z'],
    ['America/New_York', '2024-05-01T00:00:00Z'],
    ['America/New_York', '2024-05-01T03:59:59Z'],
    ['Asia/Kolkata', '2024-04-30T18:31:00Z'],
    ['Asia/Kolkata', '2024-04-30T19:00:00Z'],
  ])('in %s, %s is ambiguous', (zone, text) => {
    expect(parseDate(text, zone)).toEqual(ambiguous)
  })

  it('is refused where its date in the company falls outside of 1900 to 2199', () => {
    expect(parseDate('2199-12-31T23:00:00Z', oslo)).toEqual(invalid)
  })

  it('is read right in every half hour of days on which clocks change', () => {
    const changes = [
      { zone: oslo, day: '2024-03-31', at: '01:00', before: 60, after: 120 },
      { zone: oslo, day: '2024-10-27', at: '01:00', before: 120, after: 60 },
      { zone: 'America/New_York', day: '2024-03-10', at: '07:00', before: -300, after: -240 },
      { zone: 'America/New_York', day: '2024-11-03', at: '06:00', before: -240, after: -300 },
      { zone: 'Australia/Lord_Howe', day: '2024-10-05', at: '15:30', before: 630, after: 660 },
      { zone: 'Australia/Lord_Howe', day: '2024-04-06', at: '15:00', before: 660, after: 630 },
      { zone: 'Asia/Kolkata', day: '2024-03-31', at: '00:00', before: 330, after: 330 },
    ]
    for (const { zone, day, at, before, after } of changes) {
      const first = dayNumber(Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8)))
      const change = first * 1440 + Number(at.slice(0, 2)) * 60 + Number(at.slice(3))
      for (let minute = (first - 1) * 1440; minute < (first + 2) * 1440; minute += 30) {
        const written = formatDay(Math.floor(minute / 1440))
        const clock = minute - Math.floor(minute / 1440) * 1440
        const time = `${String(Math.floor(clock / 60)).padStart(2, '0')}:${clock % 60 === 0 ? '00' : '30'}`
        const local = minute + (minute < change ? before : after)
        const localDay = formatDay(Math.floor(local / 1440))
        const expected = localDay === written || local % 1440 === 0 ? localDay : ambiguous
        expect([zone, written, time, parseDate(`${written}T${time}:00Z`, zone)]).toEqual([
          zone,
          written,
          time,
          expected,
        ])
      }
    }
  })
})

describe('any text', () => {
  it('is a day that exists, or a problem', () => {
    const piece = fc.oneof(
      fc.constantFrom('2024-02-29', '1999-12-31', 'T', ' ', ':', '.', 'Z', '+', '-', '00', '23', '7'),
      fc.string({ maxLength: 3 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const read = parseDate(pieces.join(''), oslo)
        if (typeof read === 'string') expect(parseDate(read, oslo)).toBe(read)
        else expect(['invalid', 'ambiguous']).toContain(read.problem)
      }),
    )
  })
})

it.each([
  ['Europe/Oslo', '2026-01-15', '2026-01-14T23:00:00Z'],
  ['Europe/Oslo', '2026-07-15', '2026-07-14T22:00:00Z'],
  ['Europe/Oslo', '2026-03-30', '2026-03-29T22:00:00Z'],
  ['UTC', '2026-07-15', '2026-07-15T00:00:00Z'],
  ['Pacific/Kiritimati', '2026-07-15', '2026-07-14T10:00:00Z'],
  ['Pacific/Pago_Pago', '2026-07-15', '2026-07-15T11:00:00Z'],
])('a day in %s begins with its first moment there: %s', (zone, day, moment) => {
  expect(new Date(startOfDate(zone, day) / 1000).toISOString()).toBe(moment.replace('Z', '.000Z'))
})
