// Sets the revenue of each row's cell (interface 4.1.1); never adds a second record to a cell.
import { actions } from '../model/revenue-log.ts'
import type { RevenueAct } from './types.ts'
import { Changes } from './changes.ts'
import { cellOfRow, type CellRow } from './cell-of-row.ts'
import { cellKey } from '../store/revenue/cells.ts'
import { leadersOf } from '../store/revenue/revenues.ts'

export const setRevenuePerDate: RevenueAct = async (transaction, rows, deed) => {
  const changes = new Changes(transaction, deed)
  const cellRows: CellRow[] = rows.map(cellOfRow)
  const leaders = await leadersOf(
    transaction,
    cellRows.map(({ cell }) => cell),
  )

  const placed = cellRows.map(({ cell, amount, remark }) => {
    const leader = leaders.get(cellKey(cell))
    const values = { amount, ...(remark === undefined ? {} : { remark }) }
    const before = leader === undefined ? null : leader.amount
    const record =
      leader === undefined
        ? changes.insert({ ...cell, ...values }, true)
        : changes.update(leader, values)
    leaders.set(cellKey(cell), record)
    changes.log(record, { action: actions.set, amount, before, after: amount, reference: null })
    return { record, isApplied: true }
  })
  await changes.store()
  return changes.outcomes(placed)
}
