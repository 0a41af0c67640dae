// Three years of made-up revenue, reported week by week with the same acts that callers use.
import type { Caller } from '../auth/caller.ts'
import { deedOf, type Deed } from '../auth/action-context.ts'
import { dayText } from '../lib/calendar.ts'
import { accumulateRevenue } from '../revenue/accumulate.ts'
import type { RevenueAct, RevenueRow, RowOutcome } from '../revenue/types.ts'
import { saveRevenues } from '../revenue/save-list.ts'
import { departments, type Department } from './departments.ts'
import { isOnceIn } from './seeded-random.ts'
import { takingsOn } from './daily-revenue.ts'
import type { Store, Transaction } from '../store/store.ts'

/** Days, counted from 1970-01-01; the last one is not part of it. */
export interface Span {
  readonly first: number
  readonly end: number
}

/** What else happened until the evening of a day, a number like those of `Span`. */
export type Meanwhile = (transaction: Transaction, day: number) => Promise<void>

/** Stores the company's revenue of these days; a week is reported, and stamped, on the evening of its last day. */
export function enterHistory(
  store: Store,
  caller: Caller,
  { first, end }: Span,
  meanwhile: Meanwhile,
): Promise<void> {
  return store.inTransaction(caller.companyId, async (transaction) => {
    const { name } = caller.company
    const all = departments[name] ?? []
    const reporting = all.filter((one) => !one.isAddedUp)
    const addingUp = all.filter((one) => one.isAddedUp)
    let corrections: Values[] = []
    for (let monday = first; monday < end; monday += 7) {
      const days = Array.from({ length: Math.min(7, end - monday) }, (_, index) => monday + index)
      const ofWeek = (some: readonly Department[], rowsOf: typeof reportsOf) =>
        days.flatMap((day) => some.flatMap((one) => rowsOf(name, one, day)))
      const last = days.at(-1) ?? monday
      const deed = eveningOf(last, caller)
      await meanwhile(transaction, last)
      const rows = [...corrections, ...ofWeek(reporting, reportsOf)]
      const saved = await enter(transaction, saveRevenues, rows, deed)
      corrections = correctionsOf(saved.slice(corrections.length))
      await enter(transaction, accumulateRevenue, ofWeek(addingUp, batchesOf), deed)
    }
  })
}

type Values = RevenueRow['values']

/** Half past eight in the evening, UTC, when the tills have been counted. */
function eveningOf(day: number, caller: Caller): Deed {
  return deedOf(caller, `sandbox-${dayText(day)}`, (day * 24 + 20.5) * 3600 * 1_000_000)
}

async function enter(
  transaction: Transaction,
  act: RevenueAct,
  list: readonly Values[],
  deed: Deed,
): Promise<readonly RowOutcome[]> {
  const rows = list.map((values, index) => ({ place: `[${index}]`, values }))
  return rows.length === 0 ? [] : act(transaction, rows, deed)
}

function reportsOf(company: string, department: Department, day: number): Values[] {
  return takingsOn(company, department, day).map((takings) => ({
    ...takings,
    date: dayText(day),
    departmentId: department.id,
  }))
}

/** Some of what was reported turns out to be wrong, and is put right a week later. */
function correctionsOf(entered: readonly RowOutcome[]): Values[] {
  return entered.flatMap((outcome) => {
    if ('refused' in outcome) throw new Error(`the sandbox refuses itself: ${outcome.refused.code}`)
    const { id, date, departmentId, amount } = outcome.record
    return isOnceIn(120, 'correction', date ?? '', departmentId ?? '', amount ?? 0)
      ? [{ id, amount: (amount ?? 0) + correction, remark: 'Rettet etter opptelling' }]
      : []
  })
}

/** 150 kroner, in ten-thousandths: a note that lay under the till. */
const correction = 1_500_000

/** Each amount of the day comes in two batches, and a batch that comes twice is not added again. */
function batchesOf(company: string, department: Department, day: number): Values[] {
  const date = dayText(day)
  return takingsOn(company, department, day).flatMap(({ amount }, index) => {
    const morning = Math.round(amount / 25_000) * 10_000
    return [morning, amount - morning].map((one, batch) => ({
      date,
      departmentId: department.id,
      amount: one,
      reference: `${department.id}-${date}-${index + 1}.${batch + 1}`,
    }))
  })
}
