// Sandbox: fills a database with generated data that depends only on a date.
import { dayNumber, formatDay } from '../lib/calendar.ts'
import { microsecondsPerDay } from '../lib/timestamp.ts'
import { insertAccount, type SandboxAccount } from './accounts.ts'
import { departments } from './departments.ts'
import { insertDirectory } from './directory.ts'
import { insertHistory, type DayRange } from './history.ts'
import { createMaterialInserter } from './material.ts'
import { dailyRevenue } from './daily-revenue.ts'
import { saveSetting } from '../store/accounts/settings.ts'
import { sandboxSettingName } from '../store/sandbox-database.ts'
import type { Store } from '../store/store.ts'

export interface SandboxContent {
  readonly accounts: readonly SandboxAccount[]
  readonly pepper: Buffer
  /** `YYYY-MM-DD`; the generated history ends the day before. */
  readonly date: string
}

/** Fills an empty database. Everything except the secrets is determined by the date. */
export async function fillSandbox(store: Store, { accounts, pepper, date }: SandboxContent): Promise<void> {
  const span = spanBefore(date)
  const opened = span.first * microsecondsPerDay
  const callers = await store.inSystemTransaction(async (writer) => {
    await saveSetting(writer, { name: sandboxSettingName, value: date })
    const callers = []
    for (const account of accounts) callers.push(await insertAccount(writer, account, pepper, opened))
    return callers
  })
  for (const caller of callers) {
    await insertDirectory(store, caller, span)
    await insertHistory(store, caller, span, createMaterialInserter(caller, span))
  }
}

export const historyYears = 3

function spanBefore(date: string): DayRange {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return { first: dayNumber(year - historyYears, month, day), end: dayNumber(year, month, day) }
}

export const sampleDepartment = '20'

/** The last day with a report of the sample department. */
export function lastReportedDay(company: string, date: string): string {
  const department = (departments[company] ?? []).find(({ id }) => id === sampleDepartment)
  if (department === undefined) throw new Error(`${company} has no department ${sampleDepartment}`)
  let day = spanBefore(date).end - 1
  while (dailyRevenue(company, department, day).length === 0) day--
  return formatDay(day)
}
