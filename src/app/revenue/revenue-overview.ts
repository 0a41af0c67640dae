// Revenue overview: key figures, calendar, data quality findings.
import type { KeyFigure, RevenueOverview, UnknownCode, DataIssues } from '../contract/revenue.ts'
import { parseDay, periodStarts, weeksBefore, yearBefore } from '../date-range.ts'
import { plusDays, weekdayOf } from '../../lib/calendar.ts'
import { queryIn } from '../request-values.ts'
import type { AppRequest } from '../route.ts'
import { message } from '../../errors/messages.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import { listDepartmentNames } from '../../store/directory/directory-records.ts'
import {
  findLastRevenueChange,
  sumByCell,
  sumByDay,
  type CellSum,
  type RevenueDayRange,
  type DaySum,
} from '../../store/revenue/revenue-sums.ts'
import type { Reader } from '../../store/store.ts'
import { fieldError } from '../../errors/api-error.ts'

/** Amounts are ten-thousandths, timestamps microseconds. Periods end yesterday, because today is incomplete. */
export async function getRevenueOverview(appRequest: AppRequest): Promise<RevenueOverview> {
  const { store, request, today, companyId, company } = appRequest
  const kind = kindIn(queryIn(request, ['kind']).get('kind'))
  const day = today(company.zone)
  const yesterday = plusDays(day, -1)
  const ofYear = { from: `${yesterday.slice(0, 4)}-01-01`, to: yesterday }
  // In January the last month belongs to last year.
  const first = [ofYear.from, lastMonth(day).from].toSorted()[0] ?? ofYear.from
  const since = yearBefore({ from: plusDays(first, -7), to: yesterday }).from
  const reports = store.reports(companyId, request)
  const sums = await sumByDay(reports, { companyId, kind, from: since, to: day })
  return {
    today: day,
    figures: figuresOf(sums, day),
    days: sums,
    ...(await findDataQualityIssues(reports, companyId, kind, { yesterday, day })),
    lastChangedAt: (await findLastRevenueChange(reports, { companyId }))?.changedAt ?? null,
  }
}

/** Data quality findings of the last five weeks: gaps until yesterday, others until today; and all records without a date. */
export async function findDataQualityIssues(
  reader: Reader,
  companyId: CompanyId,
  kind: string,
  { yesterday, day }: { readonly yesterday: string; readonly day: string },
): Promise<DataIssues> {
  const recent = { from: plusDays(yesterday, 1 - recentDays), to: yesterday }
  const cells = await sumByCell(reader, { companyId, kind, from: recent.from, to: day })
  const names = await listDepartmentNames(reader, { companyId })
  return {
    missing: missingDays(cells, recent),
    crowded: cells.filter(({ records }) => records > 1),
    unknown: unknownCodes(cells, new Set(names.map(({ id }) => id))),
    undated: await sumByCell(reader, { companyId, kind, from: '', to: '' }),
  }
}

/** Totals by department for each day, week or month of a range, by the first day of each. */
export async function getRevenueSums({ store, request, companyId }: AppRequest): Promise<{ sums: CellSum[] }> {
  const query = queryIn(request, ['from', 'to', 'per', 'kind'])
  const days = { from: parseDay(query.get('from'), 'from'), to: parseDay(query.get('to'), 'to') }
  const starts = startOf(query.get('per') ?? 'day')
  const kind = kindIn(query.get('kind'))
  const cells = await sumByCell(store.reports(companyId, request), { companyId, kind, ...days })
  const sums = new Map<string, CellSum>()
  for (const cell of cells) {
    const date = starts(cell.date)
    const key = `${date} ${cell.departmentId}`
    const sum = sums.get(key)
    sums.set(key, {
      ...cell,
      date,
      amount: cell.amount + (sum?.amount ?? 0),
      records: cell.records + (sum?.records ?? 0),
    })
  }
  return { sums: [...sums.values()] }
}

/** The revenue kind of a request; default `I`. */
export function kindIn(text: string | null | undefined): string {
  return (text ?? '') || 'I'
}

function startOf(per: string): (day: string) => string {
  if (per === 'day' || per === 'week' || per === 'month') return periodStarts[per]
  throw fieldError('InvalidValue', 'per', { problem: message('dayWeekOrMonth') })
}

function figuresOf(sums: readonly DaySum[], today: string): KeyFigure[] {
  const yesterday = plusDays(today, -1)
  const compared = (
    name: KeyFigure['name'],
    days: RevenueDayRange,
    before: (days: RevenueDayRange) => RevenueDayRange,
  ): KeyFigure => ({
    name,
    ...days,
    amount: sumOf(sums, days),
    before: { ...before(days), amount: sumOf(sums, before(days)) },
  })
  return [
    compared('yesterday', { from: yesterday, to: yesterday }, weeksBefore),
    compared('week', { from: plusDays(yesterday, -6), to: yesterday }, weeksBefore),
    compared('month', { from: periodStarts.month(yesterday), to: yesterday }, yearBefore),
    compared('lastMonth', lastMonth(today), yearBefore),
    compared('year', { from: `${yesterday.slice(0, 4)}-01-01`, to: yesterday }, yearBefore),
  ]
}

/** The calendar month before that of a day. */
function lastMonth(day: string): RevenueDayRange {
  const to = plusDays(periodStarts.month(day), -1)
  return { from: periodStarts.month(to), to }
}

/** Null when no day has a record: nothing reported is not the same as nothing sold. */
function sumOf(sums: readonly DaySum[], { from, to }: RevenueDayRange): number | null {
  const reported = sums.filter(({ date }) => date >= from && date <= to)
  return reported.length === 0 ? null : reported.reduce((sum, { amount }) => sum + amount, 0)
}

/** How far back to look for missing days. */
const recentDays = 35

/** Days without a record, on weekdays on which the department usually has one. */
function missingDays(cells: readonly CellSum[], { from, to }: RevenueDayRange) {
  return [...Map.groupBy(cells, ({ departmentId }) => departmentId)]
    .map(([departmentId, rows]) => {
      const reported = new Set(rows.map(({ date }) => date))
      const all = daysOf({ from, to })
      const usual = [0, 1, 2, 3, 4, 5, 6].map((weekday) => {
        const days = all.filter((day) => weekdayOf(day) === weekday)
        return days.filter((day) => reported.has(day)).length * 2 > days.length
      })
      const dates = all.filter((day) => usual[weekdayOf(day)] === true && !reported.has(day))
      return { departmentId, dates }
    })
    .filter(({ dates }) => dates.length > 0)
}

function daysOf({ from, to }: RevenueDayRange): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = plusDays(day, 1)) days.push(day)
  return days
}

function unknownCodes(cells: readonly CellSum[], known: ReadonlySet<string>): UnknownCode[] {
  return [...Map.groupBy(cells, ({ departmentId }) => departmentId)]
    .filter(([departmentId]) => !known.has(departmentId))
    .map(([departmentId, rows]) => ({
      departmentId,
      records: rows.reduce((sum, { records }) => sum + records, 0),
      amount: rows.reduce((sum, { amount }) => sum + amount, 0),
      first: rows[0]?.date ?? '',
      last: rows.at(-1)?.date ?? '',
    }))
}
