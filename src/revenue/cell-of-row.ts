// The cell of a row whose required fields have been validated.
import { revenue, type Revenue } from '../model/revenue.ts'
import type { RevenueRow } from './types.ts'
import type { Cell } from '../store/revenue/cells.ts'
import type { CellAmount } from '../store/revenue/stored-amounts.ts'

export interface CellRow {
  readonly location: string
  readonly cell: Cell
  /** Ten-thousandths. */
  readonly amount: number
  /** The cell, and all other values that were sent. */
  readonly values: Partial<Revenue>
  readonly reference: string | null
}

/** Throws for a missing field: validation has already rejected such rows. */
export function toCellRow(row: RevenueRow): CellRow {
  const { amount, ...cell } = toCellAmount(row)
  const { reference = null } = row.values
  return { location: row.location, cell, amount, values: { ...row.values, ...cell }, reference }
}

/** The same for a row without other values. */
export function toCellAmount({ location, values }: RevenueRow): CellAmount {
  const { date = null, departmentId = null, amount = null } = values
  if (date === null || departmentId === null || amount === null)
    throw new Error(`row ${location} of a cell without its cell or amount`)
  return { date, departmentId, kind: values.kind ?? revenue.fields.kind.default, amount }
}
