// Accumulates revenue: adds each row to its cell once per reference (interface 4.2).
import { Fault } from '../errors/catalog.ts'
import { amountLimit, writeDecimal } from '../lib/decimal.ts'
import type { Refused } from '../model/outcome.ts'
import { actions } from '../model/revenue-log.ts'
import { revenue, revenueAddition } from '../model/revenue.ts'
import type { RevenueAct } from './types.ts'
import { cellOfRow, type CellRow } from './cell-of-row.ts'
import { Changes, type Placed } from './changes.ts'
import { cellKey } from '../store/revenue/cells.ts'
import { referenceKey, usedReferences } from '../store/revenue/revenue-log.ts'
import { leadersOf } from '../store/revenue/revenues.ts'

export const accumulateRevenue: RevenueAct = async (transaction, rows, deed) => {
  const changes = new Changes(transaction, deed)
  const cellRows: CellRow[] = rows.map(cellOfRow)
  const leaders = await leadersOf(
    transaction,
    cellRows.map(({ cell }) => cell),
  )
  const used = await usedReferences(
    transaction,
    cellRows.flatMap(({ cell, reference }) => (reference === null ? [] : { ...cell, reference })),
  )

  const placed = cellRows.map((row): Placed | Refused => {
    const { cell, amount, remark, reference } = row
    const leader = leaders.get(cellKey(cell))
    const key = reference === null ? null : referenceKey({ ...cell, reference })
    const usedWith = key === null ? undefined : used.get(key)
    if (usedWith !== undefined) {
      if (usedWith !== amount) return refuse(row, 'ReferenceReused', usedWith)
      // The record was deleted since; a late repeat must not bring its amount back.
      if (leader === undefined) return refuse(row, 'NotFound', usedWith)
      return { record: leader, isApplied: false }
    }
    const before = leader === undefined ? null : leader.amount
    const total = (before ?? 0) + amount
    if (Math.abs(total) >= amountLimit) return refuse(row, 'NumberOutOfRange', amount)
    const values = { amount: total, ...(remark === undefined ? {} : { remark }) }
    const record =
      leader === undefined
        ? changes.insert({ ...cell, ...values }, true)
        : changes.update(leader, values)
    leaders.set(cellKey(cell), record)
    if (key !== null) used.set(key, amount)
    changes.log(record, { action: actions.add, amount, before, after: total, reference })
    return { record, isApplied: true }
  })
  await changes.store()
  return changes.outcomes(placed)
}

function refuse(
  { place, reference }: CellRow,
  code: 'ReferenceReused' | 'NotFound' | 'NumberOutOfRange',
  amount: number,
): Refused {
  const says = {
    ReferenceReused: { reference: reference ?? '', amount: writeDecimal(amount) },
    NotFound: { what: `${revenueAddition.fields.reference.wire} ${reference ?? ''}` },
    NumberOutOfRange: {
      field: revenue.fields.amount.wire,
      min: writeDecimal(1 - amountLimit),
      max: writeDecimal(amountLimit - 1),
    },
  }[code]
  const target =
    code === 'NumberOutOfRange' ? revenue.fields.amount.wire : revenueAddition.fields.reference.wire
  return { refused: new Fault(code, { target, says }).detail(place) }
}
