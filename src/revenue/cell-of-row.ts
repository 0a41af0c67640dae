// The cell of a row whose required fields have been validated.
import { revenue, type Revenue } from '../model/revenue.ts'
import type { RevenueRow } from './types.ts'
import type { Cell } from '../store/revenue/cells.ts'

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
export function toCellRow({ location, values }: RevenueRow): CellRow {
  const { date = null, departmentId = null, amount = null, reference = null } = values
  if (date === null || departmentId === null || amount === null)
    throw new Error(`row ${location} of a cell without its cell or amount`)
  const kind = values.kind ?? revenue.fields.kind.default
  return {
    location,
    cell: { date, departmentId, kind },
    amount,
    values: { ...values, date, departmentId, kind },
    reference,
  }
}
