// Revenue imports: each row sets the amount of a cell, as `setRevenuePerDate` does; with undo.
import type { Deed } from '../auth/action-context.ts'
import { Fault, type Detail } from '../errors/catalog.ts'
import { problemAt, sliceRows, type ImportRow } from './rows.ts'
import type { Fate, ImportActor, ImportJob, Kept, Subject } from './import-target.ts'
import { inSlices } from '../lib/yield-to-event-loop.ts'
import { revenue, revenueOfCell } from '../model/revenue.ts'
import { phrase } from '../errors/messages.ts'
import type { RevenueRow } from '../revenue/types.ts'
import { cellOfRow } from '../revenue/cell-of-row.ts'
import { setRevenuePerDate } from '../revenue/set-per-date.ts'
import { standAgain, type Standing } from '../revenue/restore-previous.ts'
import { cellKey } from '../store/revenue/cells.ts'
import type { ImportChange } from '../store/imports/imports.ts'
import { leadersOf, revenuesById, type StoredRevenue } from '../store/revenue/revenues.ts'
import type { Transaction } from '../store/store.ts'

export const revenueSubject: Subject = {
  resource: { ...revenueOfCell, wire: revenue.wire },
  right: 'revenue:write',
  needs: [['date'], ['departmentId'], ['amount']],
  act: async (transaction, rows, job) => {
    const fates: Fate[] = []
    const lines = new Map<string, number>()
    await inSlices(rows, atOnce, async (slice, start) => {
      const { sound, refused } = judge(slice, job, lines)
      fates.push(...refused, ...(await setCells(transaction, sound, job.deed)))
      job.onProgress?.('storing', start + slice.length)
    })
    return fates
  },
  takeBack: async (transaction, changes, by) => {
    const kept: Kept[] = []
    await inSlices(changes, atOnce, async (slice) => {
      kept.push(...(await takeBack(transaction, slice, by)))
    })
    return kept
  },
}

/** The chunk size of long lists in the API. */
const atOnce = sliceRows / 4

interface SoundRow extends RevenueRow {
  readonly index: number
}

/** Rejects rows without a cell or amount, repeated cells, and departments that the caller may not write. */
function judge(
  rows: readonly ImportRow[],
  { resource, table, departments }: ImportJob,
  lines: Map<string, number>,
): { sound: SoundRow[]; refused: Fate[] } {
  const refused: Fate[] = []
  const sound = rows.flatMap(({ index, place, values }): SoundRow[] => {
    const refuse = (detail: Detail): SoundRow[] => {
      refused.push({ index, refused: detail })
      return []
    }
    const { date, departmentId, amount, kind, remark } = values
    const missing = needed.find((name) => typeof values[name] !== fieldTypes[name])
    if (missing !== undefined || typeof date !== 'string' || typeof departmentId !== 'string')
      return refuse(missingAt(missing ?? 'date', place))
    if (typeof amount !== 'number') return refuse(missingAt('amount', place))
    if (departments !== null && !departments.includes(departmentId))
      return refuse(problemAt(resource, 'departmentId', place, phrase('notYourDepartment')))
    const row: SoundRow = {
      index,
      place,
      values: {
        date,
        departmentId,
        amount,
        ...(typeof kind === 'string' ? { kind } : {}),
        ...(typeof remark === 'string' || remark === null ? { remark } : {}),
      },
    }
    const key = cellKey(cellOfRow(row).cell)
    const line = lines.get(key)
    if (line !== undefined)
      return refuse(problemAt(resource, 'date', place, phrase('keyInOtherLine', { line })))
    lines.set(key, table.lines[index]?.line ?? 0)
    return [row]
  })
  return { sound, refused }
}

const needed = ['date', 'departmentId', 'amount'] as const
const fieldTypes = { date: 'string', departmentId: 'string', amount: 'number' } as const

function missingAt(name: (typeof needed)[number], place: string): Detail {
  const field = revenue.fields[name].wire
  return new Fault('MissingField', { target: field, says: { field } }).detail(place)
}

/** Rows equal to the stored values change nothing: no timestamp and no change log entry. */
async function setCells(
  transaction: Transaction,
  rows: readonly SoundRow[],
  deed: Deed,
): Promise<Fate[]> {
  const leaders = await leadersOf(
    transaction,
    rows.map((row) => cellOfRow(row).cell),
  )
  const leaderOf = (row: SoundRow) => leaders.get(cellKey(cellOfRow(row).cell))
  const isStored = (row: SoundRow) => {
    const leader = leaderOf(row)
    const { amount, remark } = row.values
    return leader?.amount === amount && (remark === undefined || remark === leader?.remark)
  }
  const changing = rows.filter((row) => !isStored(row))
  const outcomes = await setRevenuePerDate(transaction, changing, deed)
  return [
    ...rows.filter(isStored).map(({ index }): Fate => ({ index, effect: 'unchanged' })),
    ...outcomes.flatMap((outcome, position): Fate[] => {
      const row = changing[position]
      if (row === undefined) return []
      if ('refused' in outcome) return [{ index: row.index, refused: outcome.refused }]
      const { id, changedAt } = outcome.record
      const leader = leaderOf(row)
      const change: ImportChange = {
        key: String(id),
        before: leader === undefined ? null : standingOf(leader),
        changedAt,
      }
      const effect = leader === undefined ? 'inserted' : 'changed'
      return [{ index: row.index, effect, change }]
    }),
  ]
}

function standingOf({ amount, remark }: StoredRevenue): string {
  return JSON.stringify({ amount, remark })
}

async function takeBack(
  transaction: Transaction,
  changes: readonly ImportChange[],
  { deed, departments }: ImportActor,
): Promise<Kept[]> {
  const records = await revenuesById(
    transaction,
    changes.map(({ key }) => Number(key)),
  )
  const kept: Kept[] = []
  const back: Standing[] = []
  for (const { key, before, changedAt } of changes) {
    const stored = records.get(Number(key))
    if (stored === undefined) kept.push({ key, why: 'gone' })
    else if (departments !== null && !departments.includes(stored.departmentId ?? ''))
      throw foreign(stored)
    else if (stored.changedAt !== changedAt) kept.push({ key, why: 'changed' })
    else back.push({ stored, before: before === null ? null : standingIn(before) })
  }
  await standAgain(transaction, back, deed)
  return kept
}

function foreign({ departmentId }: StoredRevenue): Fault {
  const field = revenue.fields.departmentId.wire
  const says = { field: `${field} ${departmentId ?? ''}`, problem: phrase('notYourDepartment') }
  return new Fault('InvalidValue', { target: field, says })
}

function standingIn(before: string): NonNullable<Standing['before']> {
  const read: unknown = JSON.parse(before)
  const values = new Map(Object.entries(typeof read === 'object' && read !== null ? read : {}))
  const amount: unknown = values.get('amount')
  const remark: unknown = values.get('remark')
  return {
    amount: typeof amount === 'number' ? amount : null,
    remark: typeof remark === 'string' ? remark : null,
  }
}
