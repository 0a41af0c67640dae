// Chart series: a period per day, week or month, an amount per department.
import { plusDays, plusMonths, yearBefore } from '../../api/days.ts'
import type { CellSum, Per } from '../../api/revenue.ts'

export interface Period {
  readonly start: string
  readonly amounts: ReadonlyMap<string, number>
  /** Null without revenue: a gap is not zero. */
  readonly sum: number | null
  readonly before: number | null
}

export interface Series {
  readonly departments: readonly string[]
  readonly periods: readonly Period[]
  readonly sum: number
  readonly sumBefore: number | null
}

interface Asked {
  readonly sums: readonly CellSum[]
  readonly before: readonly CellSum[]
  readonly per: Per
  readonly from: string
  readonly to: string
  readonly department: string | undefined
}

export function seriesOf({ sums, before, per, from, to, department }: Asked): Series {
  const isAsked = ({ departmentId }: CellSum) =>
    department === undefined || departmentId === department
  const shown = sums.filter(isAsked)
  const byStart = Map.groupBy(shown, ({ date }) => date)
  const beforeByStart = Map.groupBy(before.filter(isAsked), ({ date }) => date)
  const beforeShown = (start: string) => beforeByStart.get(yearBefore(start, per)) ?? []
  const starts = startsFrom(from, to, per)
  const periods = starts.map((start): Period => {
    const cells = byStart.get(start) ?? []
    return {
      start,
      amounts: new Map(cells.map(({ departmentId, amount }) => [departmentId, amount])),
      sum: sumOf(cells),
      before: sumOf(beforeShown(start)),
    }
  })
  const departments = [...Map.groupBy(shown, ({ departmentId }) => departmentId)]
    .map(([id, cells]) => ({ id, sum: sumOf(cells) ?? 0 }))
    .toSorted((one, other) => other.sum - one.sum)
    .map(({ id }) => id)
  return {
    departments,
    periods,
    sum: sumOf(shown) ?? 0,
    sumBefore: sumOf(starts.flatMap(beforeShown)),
  }
}

function sumOf(cells: readonly CellSum[]): number | null {
  return cells.length === 0 ? null : cells.reduce((sum, { amount }) => sum + amount, 0)
}

function startsFrom(from: string, to: string, per: Per): string[] {
  const next = (start: string) =>
    per === 'month' ? plusMonths(start, 1) : plusDays(start, per === 'week' ? 7 : 1)
  const starts: string[] = []
  for (let start = from; start <= to && starts.length < periodsMax; start = next(start))
    starts.push(start)
  return starts
}

/** More bars cannot be told apart. */
const periodsMax = 400
