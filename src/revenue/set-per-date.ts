// Sets the revenue of each row's cell (interface 4.1.1); never adds a second record to a cell.
import { revenueActions } from '../model/revenue-log.ts'
import type { RevenueWriteHandler } from './types.ts'
import { RevenueChanges } from './changes.ts'
import { toCellRow, type CellRow } from './cell-of-row.ts'
import { cellKey } from '../store/revenue/cells.ts'
import { findLeadingRecords } from '../store/revenue/revenues.ts'

export const setRevenuePerDate: RevenueWriteHandler = async (transaction, rows, context) => {
  const changes = new RevenueChanges(transaction, context)
  const cellRows: CellRow[] = rows.map(toCellRow)
  const leaders = await findLeadingRecords(
    transaction,
    cellRows.map(({ cell }) => cell),
  )

  const results = cellRows.map(({ cell, amount, others }) => {
    const leader = leaders.get(cellKey(cell))
    const values = { ...others, amount }
    const before = leader === undefined ? null : leader.amount
    const record =
      leader === undefined
        ? changes.insert({ ...cell, ...values }, true)
        : changes.update(leader, values)
    leaders.set(cellKey(cell), record)
    changes.log(record, {
      action: revenueActions.set,
      amount,
      before,
      after: amount,
      reference: null,
    })
    return { record, isApplied: true }
  })
  await changes.save()
  return changes.listOutcomes(results)
}
