// Chart series: a period per day, week or month, an amount per department.
import type { CellSum } from '../../../src/app/contract/revenue.ts'
import { addDays, addMonths, getDayInPreviousYear } from '../../api/days.ts'
import type { PeriodUnit } from '../../api/revenue.ts'

export interface SeriesPeriod {
  readonly start: string
  readonly amounts: ReadonlyMap<string, number>
  /** Null without revenue: a gap is not zero. */
  readonly sum: number | null
  readonly before: number | null
}

export interface Series {
  readonly departments: readonly string[]
  readonly periods: readonly SeriesPeriod[]
  readonly sum: number
  readonly sumBefore: number | null
}

interface SeriesRequest {
  readonly sums: readonly CellSum[]
  readonly before: readonly CellSum[]
  readonly per: PeriodUnit
  readonly from: string
  readonly to: string
  readonly department: string | undefined
}

export function createSeries({ sums, before, per, from, to, department }: SeriesRequest): Series {
  const isSelected = ({ departmentId }: CellSum) =>
    department === undefined || departmentId === department
  const shown = sums.filter(isSelected)
  const byStart = Map.groupBy(shown, ({ date }) => date)
  const beforeByStart = Map.groupBy(before.filter(isSelected), ({ date }) => date)
  const beforeShown = (start: string) => beforeByStart.get(getDayInPreviousYear(start, per)) ?? []
  const starts = listPeriodStarts(from, to, per)
  const periods = starts.map((start): SeriesPeriod => {
    const cells = byStart.get(start) ?? []
    return {
      start,
      amounts: new Map(cells.map(({ departmentId, amount }) => [departmentId, amount])),
      sum: sumCells(cells),
      before: sumCells(beforeShown(start)),
    }
  })
  const departments = [...Map.groupBy(shown, ({ departmentId }) => departmentId)]
    .map(([id, cells]) => ({ id, sum: sumCells(cells) ?? 0 }))
    .toSorted((one, other) => other.sum - one.sum)
    .map(({ id }) => id)
  return {
    departments,
    periods,
    sum: sumCells(shown) ?? 0,
    sumBefore: sumCells(starts.flatMap(beforeShown)),
  }
}

function sumCells(cells: readonly CellSum[]): number | null {
  return cells.length === 0 ? null : cells.reduce((sum, { amount }) => sum + amount, 0)
}

function listPeriodStarts(from: string, to: string, per: PeriodUnit): string[] {
  const next = (start: string) =>
    per === 'month' ? addMonths(start, 1) : addDays(start, per === 'week' ? 7 : 1)
  const starts: string[] = []
  for (let start = from; start <= to && starts.length < periodsMax; start = next(start))
    starts.push(start)
  return starts
}

/** More bars cannot be told apart. */
const periodsMax = 400
