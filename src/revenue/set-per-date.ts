// Sets the revenue of each row's cell (interface 4.1.1); never adds a second record to a cell.
import type { ActionContext } from '../auth/action-context.ts'
import { expectChange } from '../notifications/webhooks/publish.ts'
import { otherValueNames } from '../model/revenue.ts'
import { revenueActions } from '../model/revenue-log.ts'
import { forEachChunk } from '../lib/yield-to-event-loop.ts'
import { chunkRows, inChunks } from './long-list.ts'
import type { RevenueRow, RevenueRowOutcome, RevenueWriteHandler } from './types.ts'
import { RevenueChanges } from './changes.ts'
import { toCellAmount, toCellRow } from './cell-of-row.ts'
import { cellKey } from '../store/revenue/cells.ts'
import { findLeadingRecords, type StoredRevenue } from '../store/revenue/revenues.ts'
import { setStoredAmounts } from '../store/revenue/stored-amounts.ts'
import type { Transaction } from '../store/store.ts'

/** Of stored records, in a transaction on a thread of its own: a quarter of the work remains on this one. */
const threadChunkRows = 4 * chunkRows

export const setRevenuePerDate: RevenueWriteHandler = async (transaction, rows, context) => {
  if ((transaction.dialect === 'sqlite' || rows.length === 1) && rows.every(hasOnlyAmount)) {
    expectChange(transaction, 'revenue.changed')
    const set = await setStoredAmounts(transaction, rows.map(toCellAmount), context)
    if (set !== null) return set.map((record) => ({ record, isApplied: true, isNew: false }))
    if (rows.length === 1) return setCells(transaction, rows, context, new Map())
  }
  if (rows.length <= chunkRows) return setCells(transaction, rows, context)
  const outcomes: RevenueRowOutcome[] = []
  await forEachChunk(rows, chunkRows, async (chunk) => {
    outcomes.push(...(await setRevenuePerDate(transaction, chunk, context)))
  })
  return outcomes
}

/** The same for a list of any length; publishes the change. */
export const setRevenueListPerDate = inChunks(setRevenuePerDate, threadChunkRows)

/** `known` are the leading records of the cells, where they need not be looked up. */
async function setCells(
  transaction: Transaction,
  rows: readonly RevenueRow[],
  context: ActionContext,
  known?: Map<string, StoredRevenue>,
): Promise<readonly RevenueRowOutcome[]> {
  const cellRows = rows.map(toCellRow)
  const cells = cellRows.map(({ cell }) => cell)
  const changes = new RevenueChanges(transaction, context)
  const leaders = known ?? (await findLeadingRecords(transaction, cells))

  const results = cellRows.map(({ cell, values, amount }) => {
    const key = cellKey(cell)
    const leader = leaders.get(key)
    const logged = { action: revenueActions.set, amount, reference: null }
    const record = leader === undefined ? changes.insert(values, true, logged) : changes.update(leader, values, logged)
    leaders.set(key, record)
    return { record, isApplied: true }
  })
  await changes.save()
  return changes.listOutcomes(results)
}

function hasOnlyAmount({ values }: RevenueRow): boolean {
  return otherValueNames.every((name) => values[name] === undefined)
}
