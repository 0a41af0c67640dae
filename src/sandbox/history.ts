// Generated revenue of three years, reported weekly through the same actions as API calls.
import type { Caller } from '../auth/caller.ts'
import { writeContext, type ActionContext } from '../auth/action-context.ts'
import { formatDay } from '../lib/calendar.ts'
import { microsecondsPerHour } from '../lib/timestamp.ts'
import { accumulateRevenue } from '../revenue/accumulate.ts'
import type { RevenueWriteHandler, RevenueRow, RevenueRowOutcome } from '../revenue/types.ts'
import { saveRevenues } from '../revenue/save-list.ts'
import { departments, type SandboxDepartment } from './departments.ts'
import { hasChance } from './seeded-random.ts'
import { dailyRevenue } from './daily-revenue.ts'
import type { Store, Transaction } from '../store/store.ts'

/** A range of day numbers since 1970-01-01; `end` is exclusive. */
export interface DayRange {
  readonly first: number
  readonly end: number
}

/** Inserts other data up to the evening of a day number. */
export type InsertUntil = (transaction: Transaction, day: number) => Promise<void>

/** Inserts the revenue of a company; each week is reported, with that timestamp, on the evening of its last day. */
export function insertHistory(
  store: Store,
  caller: Caller,
  { first, end }: DayRange,
  insertUntil: InsertUntil,
): Promise<void> {
  return store.inTransaction(caller.companyId, async (transaction) => {
    const { name } = caller.company
    const all = departments[name] ?? []
    const reporting = all.filter((one) => !one.usesAccumulation)
    const addingUp = all.filter((one) => one.usesAccumulation)
    let corrections: RowValues[] = []
    for (let monday = first; monday < end; monday += 7) {
      const days = Array.from({ length: Math.min(7, end - monday) }, (_, index) => monday + index)
      const ofWeek = (some: readonly SandboxDepartment[], rowsOf: typeof reportRows) =>
        days.flatMap((day) => some.flatMap((one) => rowsOf(name, one, day)))
      const last = days.at(-1) ?? monday
      // 20:30 UTC.
      const context = writeContext(caller, `sandbox-${formatDay(last)}`, (last * 24 + 20.5) * microsecondsPerHour)
      await insertUntil(transaction, last)
      const rows = [...corrections, ...ofWeek(reporting, reportRows)]
      const saved = await report(transaction, saveRevenues, rows, context)
      corrections = correctionRows(saved.slice(corrections.length))
      await report(transaction, accumulateRevenue, ofWeek(addingUp, batchRows), context)
    }
  })
}

type RowValues = RevenueRow['values']

async function report(
  transaction: Transaction,
  execute: RevenueWriteHandler,
  list: readonly RowValues[],
  context: ActionContext,
): Promise<readonly RevenueRowOutcome[]> {
  const rows = list.map((values, index) => ({ location: `[${index}]`, values }))
  return rows.length === 0 ? [] : execute(transaction, rows, context)
}

function reportRows(company: string, department: SandboxDepartment, day: number): RowValues[] {
  return dailyRevenue(company, department, day).map((takings) => ({
    ...takings,
    date: formatDay(day),
    departmentId: department.id,
  }))
}

/** Corrections of some records, reported a week later. */
function correctionRows(entered: readonly RevenueRowOutcome[]): RowValues[] {
  return entered.flatMap((outcome) => {
    if ('problem' in outcome) throw new Error(`sandbox data was rejected: ${outcome.problem.code}`)
    const { id, date, departmentId, amount } = outcome.record
    return hasChance(120, 'correction', date ?? '', departmentId ?? '', amount ?? 0)
      ? [{ id, amount: (amount ?? 0) + correction, remark: 'Rettet etter opptelling' }]
      : []
  })
}

/** 150 kroner, in ten-thousandths. */
const correction = 1_500_000

/** Splits each amount into two batches with unique references. */
function batchRows(company: string, department: SandboxDepartment, day: number): RowValues[] {
  const date = formatDay(day)
  return dailyRevenue(company, department, day).flatMap(({ amount }, index) => {
    const morning = Math.round(amount / 25_000) * 10_000
    return [morning, amount - morning].map((one, batch) => ({
      date,
      departmentId: department.id,
      amount: one,
      reference: `${department.id}-${date}-${index + 1}.${batch + 1}`,
    }))
  })
}
