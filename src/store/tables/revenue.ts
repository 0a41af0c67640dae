// Revenue as Kysely sees it, its journal, and the numbers of a company.
import type { Action } from '../../model/revenue-log.ts'

/**
 * Revenue, clustered by its cell (ADR 0012): `extra` is 0 for the record that leads the cell and the
 * record's own id for every other. `date` and `departmentId` are '' where the record has none.
 */
export interface RevenueTable {
  companyId: number
  date: string
  departmentId: string
  kind: string
  extra: number
  id: number
  /** Ten-thousandths. */
  amount: number | null
  remark: string | null
  /** Microseconds UTC, as all stamps. */
  changedAt: number
  createdAt: number
}

/** The journal: one row for every change of a record's amount or place, never changed itself. */
export interface RevenueLogTable {
  companyId: number
  id: number
  at: number
  revenueId: number
  date: string
  departmentId: string
  kind: string
  action: Action
  amount: number | null
  before: number | null
  after: number | null
  reference: string | null
  actor: string
  requestId: string
}

/** The last numbers given out in a company; whoever holds the row is the company's only writer (ADR 0013). */
export interface CounterTable {
  companyId: number
  stamp: number
  revenueId: number
  revenueLogId: number
  /** The highest that was ever an employee's. */
  employeeId: number
  /** Of transactions and of lines: what is marked is an id of either. */
  materialId: number
  ledgerId: number
  handOutId: number
  batchId: number
  auditId: number
  /** Entries of the audit that tell who came and went. */
  passages: number
}
