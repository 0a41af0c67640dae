// Chart series: a period per day, week or month, an amount per department.
import type { CellSum } from '../../../src/app/contract/revenue.ts'
import { addDays, addMonths, getDayInPreviousYear, type ComparisonRule } from '../../api/days.ts'
import type { PeriodUnit } from '../../api/revenue.ts'

export interface SeriesPeriod {
  readonly start: string
  readonly amounts: ReadonlyMap<string, number>
  /** Null without revenue: a gap is not zero. */
  readonly sum: number | null
  readonly before: number | null
}

export interface Series {
  /** The largest first. */
  readonly departments: readonly string[]
  /** CSS variables by department. */
  readonly colours: ReadonlyMap<string, string>
  readonly periods: readonly SeriesPeriod[]
  readonly sum: number
  readonly sumBefore: number | null
}

export interface SeriesRequest {
  readonly sums: readonly CellSum[]
  /** Of the period in last year. */
  readonly before: readonly CellSum[]
  readonly rule: ComparisonRule
  readonly per: PeriodUnit
  readonly from: string
  readonly to: string
  readonly department: string | undefined
  /** The codes of the directory. */
  readonly directory: readonly string[]
}

export function createSeries(request: SeriesRequest): Series {
  const { sums, before, rule, per, from, to, department, directory } = request
  const isSelected = ({ departmentId }: CellSum) => department === undefined || departmentId === department
  const shown = sums.filter(isSelected)
  const byStart = Map.groupBy(shown, ({ date }) => date)
  const beforeShown = before.filter(isSelected)
  const beforeByStart = Map.groupBy(beforeShown, ({ date }) => date)
  const periods = listPeriodStarts(from, to, per).map((start): SeriesPeriod => {
    const cells = byStart.get(start) ?? []
    return {
      start,
      amounts: new Map(cells.map(({ departmentId, amount }) => [departmentId, amount])),
      sum: sumCells(cells),
      before: sumCells(beforeByStart.get(getDayInPreviousYear(start, rule)) ?? []),
    }
  })
  const departments = [...Map.groupBy(shown, ({ departmentId }) => departmentId)]
    .map(([id, cells]) => ({ id, sum: sumCells(cells) ?? 0 }))
    .toSorted((one, other) => other.sum - one.sum)
    .map(({ id }) => id)
  return {
    departments,
    colours: assignColours(directory, departments),
    periods,
    sum: sumCells(shown) ?? 0,
    sumBefore: sumCells(beforeShown),
  }
}

/** By the place in the directory, so that a department has the same colour in every view; other codes follow. */
function assignColours(directory: readonly string[], departments: readonly string[]): ReadonlyMap<string, string> {
  const others = departments.filter((id) => !directory.includes(id)).toSorted()
  return new Map([...directory.toSorted(), ...others].map((id, index) => [id, `--chart-${(index % coloursMax) + 1}`]))
}

/** The variables `--chart-1`, `--chart-2` and so on; further departments begin with the first again. */
const coloursMax = 8

function sumCells(cells: readonly CellSum[]): number | null {
  return cells.length === 0 ? null : cells.reduce((sum, { amount }) => sum + amount, 0)
}

function listPeriodStarts(from: string, to: string, per: PeriodUnit): string[] {
  const next = (start: string) => (per === 'month' ? addMonths(start, 1) : addDays(start, per === 'week' ? 7 : 1))
  const starts: string[] = []
  for (let start = from; start <= to && starts.length < periodsMax; start = next(start)) starts.push(start)
  return starts
}

/** More bars cannot be told apart. */
const periodsMax = 400
