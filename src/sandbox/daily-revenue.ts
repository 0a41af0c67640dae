// Generated revenue of a department on a day: usually one record, sometimes several or none.
import { formatDay, weekdayOf } from '../lib/calendar.ts'
import { pick, randomInteger, seededRandom, hasChance } from './seeded-random.ts'
import { holidays, type SandboxDepartment } from './departments.ts'

export interface RevenueEntry {
  /** Ten-thousandths. */
  readonly amount: number
  readonly remark?: string
}

/** The records of a department on a day, the main one first; none when it is closed or did not report. */
export function dailyRevenue(
  company: string,
  department: SandboxDepartment,
  dayNumber: number,
): readonly RevenueEntry[] {
  const of = [company, department.id, dayNumber]
  const factor = dayFactor(department, dayNumber)
  if (factor === 0 || hasChance(80, 'forgotten', ...of)) return []
  const noise = 0.82 + 0.36 * seededRandom('noise', ...of)
  const kroner = department.dayKroner * factor * noise
  const remark = hasChance(35, 'remark', ...of) ? { remark: pick(remarks, 'which', ...of) } : {}
  const day: RevenueEntry = { amount: toAmount(kroner), ...remark }
  return [day, ...eventRevenue(department, of), ...refund(kroner, of)]
}

/** The factor of the day relative to an ordinary day. */
function dayFactor({ weekdays, months, isOpenOnHolidays }: SandboxDepartment, dayNumber: number): number {
  const date = formatDay(dayNumber)
  if (!isOpenOnHolidays && holidays.has(date.slice(5))) return 0
  const month = Number(date.slice(5, 7))
  return ((weekdays[weekdayOf(date)] ?? 0) * (months[month - 1] ?? 0)) / 10_000
}

/** Kroner, rounded to two places, in ten-thousandths. */
function toAmount(kroner: number): number {
  return Math.round(kroner * 100) * 100
}

const remarks = [
  'Varetelling, stengt til kl. 12',
  'Kassen var nede en time',
  'Åpent til kl. 22: "kveldsåpent"',
  'Tilbud & smaksprøver',
  'Stengte tidlig',
]

function eventRevenue({ eventOnceInDays }: SandboxDepartment, of: readonly (string | number)[]): RevenueEntry[] {
  return eventOnceInDays !== undefined && hasChance(eventOnceInDays, 'event', ...of)
    ? [{ amount: toAmount(randomInteger(18, 190, 'guests', ...of) * 245), remark: 'Catering' }]
    : []
}

function refund(kroner: number, of: readonly (string | number)[]): RevenueEntry[] {
  return hasChance(70, 'return', ...of)
    ? [{ amount: -toAmount(kroner * (0.01 + 0.07 * seededRandom('returned', ...of))), remark: 'Retur' }]
    : []
}
