// Accumulates revenue: adds each row to its cell once per reference (interface 4.2).
import { ApiError } from '../errors/api-error.ts'
import { amountLimit, formatDecimal } from '../lib/decimal.ts'
import type { RejectedOutcome } from '../model/outcome.ts'
import { revenueActions } from '../model/revenue-log.ts'
import { revenue, revenueAddition } from '../model/revenue.ts'
import type { RevenueWriteHandler } from './types.ts'
import { toCellRow, type CellRow } from './cell-of-row.ts'
import { RevenueChanges, type RowChange } from './changes.ts'
import { cellKey } from '../store/revenue/cells.ts'
import { referenceKey, findUsedReferences } from '../store/revenue/revenue-log.ts'
import { findLeadingRecords } from '../store/revenue/revenues.ts'

export const accumulateRevenue: RevenueWriteHandler = async (transaction, rows, context) => {
  const changes = new RevenueChanges(transaction, context)
  const cellRows: CellRow[] = rows.map(toCellRow)
  const cells = cellRows.map(({ cell }) => cell)
  const references = cellRows.flatMap(({ cell, reference }) => (reference === null ? [] : { ...cell, reference }))
  // In one message to PostgreSQL.
  const [leaders, amountsByReference] = await Promise.all([
    findLeadingRecords(transaction, cells),
    findUsedReferences(transaction, references),
  ])

  const results = cellRows.map((row): RowChange | RejectedOutcome => {
    const { cell, amount, reference } = row
    const leader = leaders.get(cellKey(cell))
    const key = reference === null ? null : referenceKey({ ...cell, reference })
    const previousAmount = key === null ? undefined : amountsByReference.get(key)
    if (previousAmount !== undefined) {
      if (previousAmount !== amount) return rejectRow(row, 'ReferenceReused', previousAmount)
      // The record was deleted since; a late repeat must not bring its amount back.
      if (leader === undefined) return rejectRow(row, 'NotFound', previousAmount)
      return { record: leader, isApplied: false }
    }
    const total = (leader?.amount ?? 0) + amount
    if (Math.abs(total) >= amountLimit) return rejectRow(row, 'NumberOutOfRange', amount)
    const values = { ...row.values, amount: total }
    const logged = { action: revenueActions.add, amount, reference }
    const record = leader === undefined ? changes.insert(values, true, logged) : changes.update(leader, values, logged)
    leaders.set(cellKey(cell), record)
    if (key !== null) amountsByReference.set(key, amount)
    return { record, isApplied: true }
  })
  await changes.save()
  return changes.listOutcomes(results)
}

function rejectRow(
  { location, reference }: CellRow,
  code: 'ReferenceReused' | 'NotFound' | 'NumberOutOfRange',
  amount: number,
): RejectedOutcome {
  const params = {
    ReferenceReused: { reference: reference ?? '', amount: formatDecimal(amount) },
    NotFound: { what: `${revenueAddition.fields.reference.wire} ${reference ?? ''}` },
    NumberOutOfRange: {
      field: revenue.fields.amount.wire,
      min: formatDecimal(1 - amountLimit),
      max: formatDecimal(amountLimit - 1),
    },
  }[code]
  const target = code === 'NumberOutOfRange' ? revenue.fields.amount.wire : revenueAddition.fields.reference.wire
  return { problem: new ApiError(code, { target, params }).toDetail(location) }
}
