// Tables: revenue, its log, and the sequences of a company.
import { revenueLog as revenueLogResource, type RevenueAction } from '../../model/revenue-log.ts'
import { revenue as revenueResource } from '../../model/revenue.ts'
import { companyTable, index, integer, text, type RowOf } from './define-table.ts'
import { fieldColumns } from './field-columns.ts'

/** The last value of each sequence of a company; the transaction that locks the row is the company's only writer (ADR 0011). */
export const sequence = companyTable('sequence', {
  columns: {
    /** The last timestamp of a change. */
    lastTimestamp: integer().default(0),
    revenueId: integer().default(0),
    revenueLogId: integer().default(0),
    /** The highest employee id that was ever used. */
    employeeId: integer().default(0),
    /** Shared by transactions and lines, so that an id names one of them. */
    materialId: integer().default(0),
    ledgerId: integer().default(0),
    retrievalId: integer().default(0),
    claimId: integer().default(0),
    auditId: integer().default(0),
    /** Number of sign-in events in the audit log. */
    signInEvents: integer().default(0),
  },
  primaryKey: [],
})
export type SequenceTable = RowOf<typeof sequence>

/**
 * Revenue, clustered by cell: company, date, department, kind (ADR 0010). `cellRank` is 0 for the leading record of the cell
 * and the record's own id for every other. `date` and `departmentId` are '' where the record has none.
 */
export const revenue = companyTable('revenue', {
  columns: {
    ...fieldColumns(revenueResource.fields),
    cellRank: integer(),
    /** The last log entry of the record in its cell; null before the first. */
    logId: integer().orNull(),
  },
  primaryKey: ['date', 'departmentId', 'kind', 'cellRank'],
  indexes: {
    /** On SQLite, changes are found by the log (ADR 0010). */
    revenueChange: index(['changedAt'], { isUnique: true, isOnSqlite: false }),
    revenueId: index(['id'], { isUnique: true }),
  },
  checks: { revenueCellRank: `"cellRank" = id or ("cellRank" = 0 and date <> '' and "departmentId" <> '')` },
})
export type RevenueTable = RowOf<typeof revenue>

/**
 * The revenue log: one row for each change of a record's amount or cell. The entries of a record in one cell are a chain,
 * because an index by cell would cost each upsert another page (ADR 0010).
 */
export const revenueLog = companyTable('revenueLog', {
  columns: {
    ...fieldColumns(revenueLogResource.fields),
    action: text<RevenueAction>(),
    /** The entry before it of the same record in the same cell; null for the first. */
    previousId: integer().orNull(),
  },
  indexes: {
    revenueLogDeletion: index(['at', 'revenueId'], { where: `"action" = 'slett'` }),
    revenueLogReference: index(['date', 'departmentId', 'kind', 'reference'], {
      where: `"reference" is not null`,
      isUnique: true,
    }),
  },
  isAppendOnly: true,
})
export type RevenueLogTable = RowOf<typeof revenueLog>

/** For each complete block of the revenue log, the last entry of each sender in it (ADR 0010). */
export const revenueLogSender = companyTable('revenueLogSender', {
  columns: { actor: text(), lastId: integer() },
  primaryKey: ['actor', 'lastId'],
})

/** For each record that was moved to another cell or deleted, its last log entry in the cell that it left. */
export const revenueDeparture = companyTable('revenueDeparture', {
  columns: { date: text(), departmentId: text(), kind: text(), logId: integer() },
  primaryKey: ['date', 'departmentId', 'kind', 'logId'],
  isAppendOnly: true,
})
