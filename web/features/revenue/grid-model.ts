// Grid model: a row per department, a cell per day, and sums.
import type { CellSum, RevenueOverview } from '../../../src/app/contract/revenue.ts'
import { getDayInPreviousYear, type ComparisonRule } from '../../api/days.ts'

/** An amount, and that of last year; null without revenue, and `before` where it is not compared. */
export interface AmountWithPreviousYear {
  readonly amount: number | null
  readonly before: number | null
}

export interface GridModelCell extends AmountWithPreviousYear {
  readonly date: string
  readonly records: number
  /** The department usually has revenue on this weekday. */
  readonly isMissing: boolean
}

export interface GridModelRow {
  readonly departmentId: string
  readonly name: string | null
  readonly cells: readonly GridModelCell[]
  readonly sum: AmountWithPreviousYear
}

export interface GridModel {
  readonly days: readonly string[]
  readonly rows: readonly GridModelRow[]
  readonly daySums: readonly AmountWithPreviousYear[]
  readonly sum: AmountWithPreviousYear
  readonly isCompared: boolean
}

interface GridModelRequest {
  readonly days: readonly string[]
  readonly sums: readonly CellSum[]
  /** Null: not compared. */
  readonly before: readonly CellSum[] | null
  readonly rule: ComparisonRule
  readonly names: ReadonlyMap<string, string>
  readonly missing: RevenueOverview['missing']
}

export function createGridModel({ days, sums, before, rule, names, missing }: GridModelRequest): GridModel {
  const keyOf = (date: string, departmentId: string) => `${date} ${departmentId}`
  const cellsByKey = new Map(sums.map((one) => [keyOf(one.date, one.departmentId), one]))
  const earlier = new Map((before ?? []).map((one) => [keyOf(one.date, one.departmentId), one.amount]))
  const gaps = new Set(missing.flatMap(({ departmentId, dates }) => dates.map((date) => keyOf(date, departmentId))))
  const ids = [...new Set([...names.keys(), ...sums.map(({ departmentId }) => departmentId)])]
  // Numeric codes sort as numbers.
  const codes = ids.toSorted((one, other) => one.localeCompare(other, 'nb', { numeric: true }))
  const rows = codes.map((departmentId): GridModelRow => {
    const cells = days.map((date): GridModelCell => {
      const key = keyOf(date, departmentId)
      const cell = cellsByKey.get(key)
      return {
        date,
        amount: cell?.amount ?? null,
        records: cell?.records ?? 0,
        before: earlier.get(keyOf(getDayInPreviousYear(date, rule), departmentId)) ?? null,
        isMissing: gaps.has(key),
      }
    })
    return { departmentId, name: names.get(departmentId) ?? null, cells, sum: sumOf(cells) }
  })
  return {
    days,
    rows,
    daySums: days.map((_, index) => sumOf(rows.flatMap(({ cells }) => cells[index] ?? []))),
    sum: sumOf(rows.map(({ sum }) => sum)),
    isCompared: before !== null,
  }
}

function sumOf(all: readonly AmountWithPreviousYear[]): AmountWithPreviousYear {
  return { amount: sumOrNull(all.map(({ amount }) => amount)), before: sumOrNull(all.map(({ before }) => before)) }
}

/** Null without amounts: a gap is not zero. */
function sumOrNull(amounts: readonly (number | null)[]): number | null {
  const known = amounts.filter((amount) => amount !== null)
  return known.length === 0 ? null : known.reduce((sum, amount) => sum + amount, 0)
}
