// Revenue imports: each row sets the amount of a cell, as `setRevenuePerDate` does; with undo.
import type { ActionContext } from '../auth/action-context.ts'
import { ApiError, fieldError, type ErrorDetail } from '../errors/api-error.ts'
import { cellError, type ImportRow } from './rows.ts'
import type { ImportRowResult, ImportActor, ImportJob, NotUndone, ImportTarget } from './import-target.ts'
import { newRecord } from '../engine/model/resource.ts'
import { pick } from '../lib/pick.ts'
import { forEachChunk } from '../lib/yield-to-event-loop.ts'
import { revenue, revenuePerDate, revenueValueNames, type RevenueValues } from '../model/revenue.ts'
import { revenueActions } from '../model/revenue-log.ts'
import { message } from '../errors/messages.ts'
import type { RevenueRow } from '../revenue/types.ts'
import { publishChange } from '../notifications/webhooks/publish.ts'
import { RevenueChanges } from '../revenue/changes.ts'
import { chunkRows } from '../revenue/long-list.ts'
import { toCellRow } from '../revenue/cell-of-row.ts'
import { setRevenuePerDate } from '../revenue/set-per-date.ts'
import { cellKey } from '../store/revenue/cells.ts'
import type { ImportChange } from '../store/imports/imports.ts'
import { findLeadingRecords, findRevenues } from '../store/revenue/revenues.ts'
import type { Transaction } from '../store/store.ts'

export const revenueImportTarget: ImportTarget = {
  resource: { ...revenuePerDate, wire: revenue.wire },
  scope: 'revenue:write',
  needs: [['date'], ['departmentId'], ['amount']],
  importRows: async (transaction, rows, job) => {
    const rowResults: ImportRowResult[] = []
    const lines = new Map<string, number>()
    await forEachChunk(rows, chunkRows, async (chunk, start) => {
      const { valid, rejected } = validateRows(chunk, job, lines)
      rowResults.push(...rejected, ...(await setCells(transaction, valid, job.context)))
      job.onProgress?.('storing', start + chunk.length)
    })
    const ids = rowResults.flatMap((one) => ('change' in one ? Number(one.change.key) : []))
    await publishChange(transaction, job.context, 'revenue.changed', ids)
    return rowResults
  },
  undo: async (transaction, changes, by) => {
    const kept: NotUndone[] = []
    await forEachChunk(changes, chunkRows, async (chunk) => {
      kept.push(...(await undoChanges(transaction, chunk, by)))
    })
    const keptKeys = new Set(kept.map(({ key }) => key))
    const ids = changes.flatMap(({ key }) => (keptKeys.has(key) ? [] : Number(key)))
    await publishChange(transaction, by.context, 'revenue.changed', ids)
    return kept
  },
}

interface ValidRevenueRow extends RevenueRow {
  readonly index: number
}

/** Rejects rows without a cell or amount, repeated cells, and departments that the caller may not write. */
function validateRows(
  rows: readonly ImportRow[],
  { resource, table, departments }: ImportJob,
  lines: Map<string, number>,
): { valid: ValidRevenueRow[]; rejected: ImportRowResult[] } {
  const rejected: ImportRowResult[] = []
  const valid = rows.flatMap(({ index, location, values }): ValidRevenueRow[] => {
    const reject = (detail: ErrorDetail): ValidRevenueRow[] => {
      rejected.push({ index, rejected: detail })
      return []
    }
    const { date, departmentId, amount, kind, ...others } = values
    const missing = (name: 'date' | 'departmentId' | 'amount') =>
      reject(fieldError('MissingField', revenue.fields[name].wire).toDetail(location))
    if (typeof date !== 'string') return missing('date')
    if (typeof departmentId !== 'string') return missing('departmentId')
    if (typeof amount !== 'number') return missing('amount')
    if (departments !== null && !departments.includes(departmentId))
      return reject(cellError(resource, 'departmentId', location, message('notYourDepartment')))
    const row: ValidRevenueRow = {
      index,
      location,
      values: { ...others, date, departmentId, amount, ...(typeof kind === 'string' ? { kind } : {}) },
    }
    const key = cellKey(toCellRow(row).cell)
    const line = lines.get(key)
    if (line !== undefined) return reject(cellError(resource, 'date', location, message('duplicateKey', { line })))
    lines.set(key, table.lines[index]?.line ?? 0)
    return [row]
  })
  return { valid, rejected }
}

/** Rows equal to the stored values change nothing: no timestamp and no change log entry. */
async function setCells(
  transaction: Transaction,
  rows: readonly ValidRevenueRow[],
  context: ActionContext,
): Promise<ImportRowResult[]> {
  const cells = rows.map((row) => toCellRow(row).cell)
  const leaders = await findLeadingRecords(transaction, cells)
  const leaderOf = (row: ValidRevenueRow) => leaders.get(cellKey(toCellRow(row).cell))
  const isStored = (row: ValidRevenueRow) => {
    const leader = leaderOf(row)
    const isEqual = (name: keyof RevenueValues) => row.values[name] === undefined || row.values[name] === leader?.[name]
    return leader !== undefined && revenueValueNames.every(isEqual)
  }
  const changing = rows.filter((row) => !isStored(row))
  const outcomes = await setRevenuePerDate(transaction, changing, context)
  return [
    ...rows.filter(isStored).map(({ index }): ImportRowResult => ({ index, effect: 'unchanged' })),
    ...outcomes.flatMap((outcome, position): ImportRowResult[] => {
      const row = changing[position]
      if (row === undefined) return []
      if ('problem' in outcome) return [{ index: row.index, rejected: outcome.problem }]
      const { id, changedAt } = outcome.record
      const leader = leaderOf(row)
      const change: ImportChange = {
        key: String(id),
        before: leader === undefined ? null : JSON.stringify(leader, revenueValueNames),
        changedAt,
      }
      const effect = leader === undefined ? 'inserted' : 'changed'
      return [{ index: row.index, effect, change }]
    }),
  ]
}

async function undoChanges(
  transaction: Transaction,
  changes: readonly ImportChange[],
  { context, departments }: ImportActor,
): Promise<NotUndone[]> {
  const ids = changes.map(({ key }) => Number(key))
  const records = await findRevenues(transaction, ids)
  const kept: NotUndone[] = []
  const undone = new RevenueChanges(transaction, context)
  for (const { key, before, changedAt } of changes) {
    const stored = records.get(Number(key))
    if (stored === undefined) kept.push({ key, why: 'deleted' })
    else if (departments !== null && !departments.includes(stored.departmentId ?? '')) {
      const target = revenue.fields.departmentId.wire
      const params = { field: `${target} ${stored.departmentId ?? ''}`, problem: message('notYourDepartment') }
      throw new ApiError('InvalidValue', { target, params })
    } else if (stored.changedAt !== changedAt) kept.push({ key, why: 'changed' })
    else if (before === null) undone.delete(stored)
    else {
      const values: Partial<RevenueValues> = JSON.parse(before)
      // A value that the record did not have then is null.
      const previous = pick({ ...newRecord(revenue), ...values }, revenueValueNames)
      undone.update(stored, previous, { action: revenueActions.set, amount: previous.amount, reference: null })
    }
  }
  await undone.save()
  return kept
}
