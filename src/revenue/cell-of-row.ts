// The cell of a row whose required fields have been validated.
import { revenue, type Revenue } from '../model/revenue.ts'
import type { RevenueRow } from './types.ts'
import type { Cell } from '../store/revenue/cells.ts'

export interface CellRow {
  readonly location: string
  readonly cell: Cell
  /** Ten-thousandths. */
  readonly amount: number
  /** The other values that were sent. */
  readonly others: Partial<Revenue>
  readonly reference: string | null
}

/** Throws for a missing field: validation has already rejected such rows. */
export function toCellRow({ location, values }: RevenueRow): CellRow {
  const { date = null, departmentId = null, kind, amount = null, reference, ...others } = values
  if (date === null || departmentId === null || amount === null)
    throw new Error(`row ${location} of a cell without its cell or amount`)
  return {
    location,
    cell: { date, departmentId, kind: kind ?? revenue.fields.kind.default },
    amount,
    others,
    reference: reference ?? null,
  }
}
