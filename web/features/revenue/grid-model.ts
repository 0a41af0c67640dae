// Grid model: a row per department, a cell per day, and sums.
import { plusDays } from '../../api/days.ts'
import type { CellSum, Overview } from '../../api/revenue.ts'

export interface SheetCell {
  readonly date: string
  /** Null: no revenue. */
  readonly amount: number | null
  readonly records: number
  readonly before: number | null
  /** The department usually has revenue on this weekday. */
  readonly isMissing: boolean
}

export interface SheetRow {
  readonly departmentId: string
  readonly name: string | null
  readonly cells: readonly SheetCell[]
  readonly sum: number | null
  readonly sumBefore: number | null
}

/** An amount, and that of last year. */
export interface Compared {
  readonly amount: number | null
  readonly before: number | null
}

export interface Sheet {
  readonly days: readonly string[]
  readonly rows: readonly SheetRow[]
  readonly daySums: readonly Compared[]
  readonly sum: Compared
  readonly isCompared: boolean
}

interface Asked {
  readonly days: readonly string[]
  readonly sums: readonly CellSum[]
  /** Null: not compared. */
  readonly before: readonly CellSum[] | null
  readonly names: ReadonlyMap<string, string>
  readonly missing: Overview['missing']
}

export function sheetOf({ days, sums, before, names, missing }: Asked): Sheet {
  const keyOf = (date: string, departmentId: string) => `${date} ${departmentId}`
  const told = new Map(sums.map((one) => [keyOf(one.date, one.departmentId), one]))
  const earlier = new Map(
    (before ?? []).map((one) => [keyOf(plusDays(one.date, 364), one.departmentId), one.amount]),
  )
  const gaps = new Set(
    missing.flatMap(({ departmentId, dates }) => dates.map((date) => keyOf(date, departmentId))),
  )
  const ids = [...new Set([...names.keys(), ...sums.map(({ departmentId }) => departmentId)])]
  const rows = ids.toSorted(inOrder).map((departmentId): SheetRow => {
    const cells = days.map((date): SheetCell => {
      const key = keyOf(date, departmentId)
      const cell = told.get(key)
      return {
        date,
        amount: cell?.amount ?? null,
        records: cell?.records ?? 0,
        before: earlier.get(key) ?? null,
        isMissing: gaps.has(key),
      }
    })
    return {
      departmentId,
      name: names.get(departmentId) ?? null,
      cells,
      sum: added(cells.map(({ amount }) => amount)),
      sumBefore: added(cells.map((cell) => cell.before)),
    }
  })
  return {
    days,
    rows,
    daySums: days.map((_, index) => ({
      amount: added(rows.map(({ cells }) => cells[index]?.amount ?? null)),
      before: added(rows.map(({ cells }) => cells[index]?.before ?? null)),
    })),
    sum: {
      amount: added(rows.map(({ sum }) => sum)),
      before: added(rows.map(({ sumBefore }) => sumBefore)),
    },
    isCompared: before !== null,
  }
}

/** Null without amounts: a gap is not zero. */
function added(amounts: readonly (number | null)[]): number | null {
  const told = amounts.filter((amount) => amount !== null)
  return told.length === 0 ? null : told.reduce((sum, amount) => sum + amount, 0)
}

/** Numeric codes sort as numbers. */
function inOrder(one: string, other: string): number {
  return one.localeCompare(other, 'nb', { numeric: true })
}
