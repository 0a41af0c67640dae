// Waiting days: counts and sums of waiting lines by date, department and project, kept with each write (ADR 0049).
import { sql } from 'kysely'
import type { Transaction } from '../store.ts'
import { tables } from '../tables.ts'
import type { MaterialTable, WaitingDayTable } from '../tables/materials.ts'
import { bulkInsert } from '../bulk-insert.ts'
import { listCommand, type NoValues } from '../queries.ts'

/** What of a waiting line is counted. */
export type CountedLine = Pick<MaterialTable, 'date' | 'departmentId' | 'projectId' | 'amount' | 'anomalyFlags'>

type WaitingDay = Omit<WaitingDayTable, 'companyId'>

/** Collects the differences of a write, so that each row is written once. */
export class WaitingDayChanges {
  readonly #byKey = new Map<string, WaitingDay>()

  /** A line that waits from now on with `sign` 1, and that no longer waits with -1. */
  count(line: CountedLine, sign: 1 | -1): void {
    const amount = sign * (line.amount ?? 0)
    this.#add(line, {
      lines: sign,
      whole: Math.trunc(amount / 10_000),
      part: amount % 10_000,
      anomalies: line.anomalyFlags > 0 ? sign : 0,
    })
  }

  /** A waiting line got other flags. */
  flag(line: Omit<CountedLine, 'amount'>, flags: number): void {
    const anomalies = Number(flags > 0) - Number(line.anomalyFlags > 0)
    if (anomalies !== 0) this.#add(line, { lines: 0, whole: 0, part: 0, anomalies })
  }

  #add(
    { date, departmentId, projectId }: Pick<CountedLine, 'date' | 'departmentId' | 'projectId'>,
    added: Pick<WaitingDay, 'lines' | 'whole' | 'part' | 'anomalies'>,
  ): void {
    const key = `${date} ${departmentId?.length ?? 0} ${departmentId ?? ''}${projectId ?? ''}`
    const last = this.#byKey.get(key)
    this.#byKey.set(key, {
      date,
      departmentId: departmentId ?? '',
      projectId: projectId ?? '',
      lines: added.lines + (last?.lines ?? 0),
      whole: added.whole + (last?.whole ?? 0),
      part: added.part + (last?.part ?? 0),
      anomalies: added.anomalies + (last?.anomalies ?? 0),
    })
  }

  async save(transaction: Transaction): Promise<void> {
    const rows = [...this.#byKey.values()].filter(
      ({ lines, whole, part, anomalies }) => lines !== 0 || whole !== 0 || part !== 0 || anomalies !== 0,
    )
    await addToDays(transaction, rows)
    const keys = rows.flatMap(({ date, departmentId, projectId, lines }) =>
      lines < 0 ? { date, departmentId, projectId } : [],
    )
    await deleteEmptyDays(transaction, keys)
  }
}

const addToDays = bulkInsert(
  tables.waitingDay,
  sql`on conflict ("companyId", date, "departmentId", "projectId") do update set
    lines = "waitingDay".lines + excluded.lines, whole = "waitingDay".whole + excluded.whole,
    part = "waitingDay".part + excluded.part, anomalies = "waitingDay".anomalies + excluded.anomalies`,
)

const deleteEmptyDays = listCommand<Pick<WaitingDay, 'date' | 'departmentId' | 'projectId'>, NoValues>(
  { date: 'text', departmentId: 'text', projectId: 'text' },
  ({ value }, keys) => sql`
    delete from "waitingDay" where "companyId" = ${value('companyId')} and lines = 0
      and (date, "departmentId", "projectId") in (select r.date, r."departmentId", r."projectId" from ${keys})`,
)
