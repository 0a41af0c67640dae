// Saves revenue rows: rows with a key update, rows without insert (interface 4.1.2).
import { ApiError } from '../errors/api-error.ts'
import { revenueActions } from '../model/revenue-log.ts'
import { message } from '../errors/messages.ts'
import type { RejectedOutcome } from '../model/outcome.ts'
import { revenue, type Revenue } from '../model/revenue.ts'
import type { RevenueWriteHandler } from './types.ts'
import { RevenueChanges, type RowChange } from './changes.ts'
import { cellKey, cellOf, type Cell } from '../store/revenue/cells.ts'
import { findLeadingRecords, findRevenues, type StoredRevenue } from '../store/revenue/revenues.ts'

export const saveRevenues: RevenueWriteHandler = async (transaction, rows, context) => {
  const changes = new RevenueChanges(transaction, context)
  const keys = rows.flatMap(({ values }) => values.id ?? [])
  const existing = keys.length === 0 ? new Map<number, StoredRevenue>() : await findRevenues(transaction, keys)
  const cells = rows.flatMap(({ values }) => (values.id === undefined ? (cellOfNewRow(values) ?? []) : []))
  const leaders = cells.length === 0 ? new Map<string, StoredRevenue>() : await findLeadingRecords(transaction, cells)

  const params = { what: message('recordOfCell') }
  const outcomes = rows.map(({ values, location }): RowChange | RejectedOutcome => {
    const { amount = null } = values
    const logged = { action: revenueActions.set, amount, reference: null }
    if (values.id === undefined) {
      const cell = cellOfNewRow(values)
      const leader = cell === null ? undefined : leaders.get(cellKey(cell))
      if (leader !== undefined && context.settings.forbidsSecondRecord)
        return { problem: new ApiError('AlreadyExists', { params, existing: leader.id }).toDetail(location) }
      const record = changes.insert(values, cell !== null && leader === undefined, logged)
      if (cell !== null && leader === undefined) leaders.set(cellKey(cell), record)
      return { record, isApplied: true }
    }
    const stored = existing.get(values.id)
    if (stored !== undefined) return { record: changes.update(stored, values, logged), isApplied: true }
    // The same for an unknown key and another company's.
    const target = revenue.fields.id.aliases[0]
    const what = `${target} ${values.id}`
    return { problem: new ApiError('NotFound', { target, params: { what } }).toDetail(location) }
  })
  await changes.save()
  return changes.listOutcomes(outcomes)
}

/** The cell of a new record; null when its fields do not define one. */
function cellOfNewRow({ date = null, departmentId = null, kind }: Partial<Revenue>): Cell | null {
  return cellOf({ date, departmentId, kind: kind ?? revenue.fields.kind.default })
}
