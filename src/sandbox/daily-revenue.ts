// What a made-up department takes on a day: most days one amount, some days several, some days none at all.
import { dayText } from '../lib/calendar.ts'
import { between, dice, isOnceIn } from './seeded-random.ts'
import { holidays, type Department } from './departments.ts'

export interface Takings {
  /** Ten-thousandths. */
  readonly amount: number
  readonly remark?: string
}

/** The records of one department on one day, the day's own first; none where it is closed or forgot to report. */
export function takingsOn(
  company: string,
  department: Department,
  dayNumber: number,
): readonly Takings[] {
  const of = [company, department.id, dayNumber]
  const percent = percentOn(department, dayNumber)
  if (percent === 0 || isOnceIn(80, 'forgotten', ...of)) return []
  const noise = 0.82 + 0.36 * dice('noise', ...of)
  const kroner = department.dayKroner * percent * noise
  const day: Takings = { amount: amountOf(kroner), ...remarkOn(of) }
  return [day, ...eventOn(department, of), ...returnOn(kroner, of)]
}

/** From Monday, 0. */
export function weekdayOf(dayNumber: number): number {
  return (((dayNumber + 3) % 7) + 7) % 7
}

/** What the day is of an ordinary one: 1 is all of it. */
function percentOn({ weekdays, months, isOpenOnHolidays }: Department, dayNumber: number): number {
  const date = dayText(dayNumber)
  if (!isOpenOnHolidays && holidays.has(date.slice(5))) return 0
  const month = Number(date.slice(5, 7))
  return ((weekdays[weekdayOf(dayNumber)] ?? 0) * (months[month - 1] ?? 0)) / 10_000
}

/** Kroner as an amount of two places. */
function amountOf(kroner: number): number {
  return Math.round(kroner * 100) * 100
}

function remarkOn(of: readonly (string | number)[]): { remark?: string } {
  const remark = isOnceIn(35, 'remark', ...of)
    ? remarks[between(0, remarks.length - 1, 'which', ...of)]
    : undefined
  return remark === undefined ? {} : { remark }
}

const remarks = [
  'Varetelling, stengt til kl. 12',
  'Kassen var nede en time',
  'Åpent til kl. 22: "kveldsåpent"',
  'Tilbud & smaksprøver',
  'Stengte tidlig',
]

function eventOn({ eventOnceInDays }: Department, of: readonly (string | number)[]): Takings[] {
  return eventOnceInDays !== undefined && isOnceIn(eventOnceInDays, 'event', ...of)
    ? [{ amount: amountOf(between(18, 190, 'guests', ...of) * 245), remark: 'Catering' }]
    : []
}

function returnOn(kroner: number, of: readonly (string | number)[]): Takings[] {
  return isOnceIn(70, 'return', ...of)
    ? [{ amount: -amountOf(kroner * (0.01 + 0.07 * dice('returned', ...of))), remark: 'Retur' }]
    : []
}
