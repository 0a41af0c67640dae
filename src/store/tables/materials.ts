// Tables: material transactions, their revisions, and the items that they name.
import type { TransactionState } from '../../model/transaction.ts'
import { companyTable, expression, index, integer, text, type RowOf } from './define-table.ts'
import { contentColumns } from './field-columns.ts'

/** A material transaction in its current revision. */
export const material = companyTable('material', {
  columns: {
    id: integer(),
    /** Incremented by every change of the content. */
    revision: integer(),
    ...contentColumns,
    state: text<TransactionState>(),
    rejectionReason: text().orNull(),
    approvedAt: integer().orNull(),
    approvedBy: text().orNull(),
    exportedAt: integer().orNull(),
    registeredBy: text(),
    /** Time of the last approval, rejection or withdrawal. */
    decidedAt: integer().orNull(),
    decidedBy: text().orNull(),
    changedAt: integer(),
    createdAt: integer(),
    /** A bit for each anomaly of a waiting transaction (ADR 0049); 0 in every other state. */
    anomalyFlags: integer(),
  },
  indexes: {
    materialDay: index([
      'state',
      'date',
      'id',
      'projectId',
      'departmentId',
      'employeeId',
      'source',
      'amount',
      'anomalyFlags',
    ]),
    materialAnomaly: index(
      ['state', 'date', 'id', 'projectId', 'departmentId', 'employeeId', 'source', 'anomalyFlags'],
      { where: `"anomalyFlags" > 0` },
    ),
    materialItem: index([
      expression(`case when "itemId" is null then "itemName" else "itemId" end`),
      'quantity',
      'date',
      expression(`case when "projectId" is null then '' else "projectId" end`),
      expression('case when "employeeId" is null then 0 else "employeeId" end'),
    ]),
    materialExternalId: index(['source', 'externalId'], { where: `"externalId" is not null`, isUnique: true }),
    materialProject: index(['projectId', 'id']),
    materialRegisteredBy: index(['registeredBy', 'id']),
    materialState: index(['state', 'id']),
    materialDepartment: index(['departmentId', 'id'], { where: `"departmentId" is not null` }),
    materialEmployee: index(['employeeId', 'id'], { where: `"employeeId" is not null` }),
    materialSite: index(['siteId', 'id'], { where: `"siteId" is not null` }),
  },
})
export type MaterialTable = RowOf<typeof material>

/** How many waiting transactions there are, by date, department and project: what the approvals screen counts (ADR 0049). */
export const waitingDay = companyTable('waitingDay', {
  columns: {
    date: text(),
    /** '' for transactions without one, like `projectId`. */
    departmentId: text(),
    projectId: text(),
    lines: integer(),
    /** The sum of their amounts: whole units, and the rest of each in ten-thousandths. */
    whole: integer(),
    part: integer(),
    /** How many have an anomaly. */
    anomalies: integer(),
  },
  primaryKey: ['date', 'departmentId', 'projectId'],
})
export type WaitingDayTable = RowOf<typeof waitingDay>

/** The transactions of an item that are not rejected: what their usual quantity is (ADR 0049). */
export const itemUsage = companyTable('itemUsage', {
  columns: {
    /** Number, or name of an item without one. */
    item: text(),
    lines: integer(),
    /** The sum of their quantities without sign. */
    size: integer(),
    /** The quantity without sign from which a transaction is unusual; null while there are too few. */
    unusualFrom: integer().orNull(),
  },
  primaryKey: ['item'],
})
export type ItemUsageTable = RowOf<typeof itemUsage>

/** A previous revision of a transaction. */
export const materialRevision = companyTable('materialRevision', {
  columns: {
    materialId: integer(),
    revision: integer(),
    /** JSON of the content columns. */
    content: text(),
    replacedAt: integer(),
    replacedBy: text(),
    requestId: text(),
  },
  primaryKey: ['materialId', 'revision'],
  isAppendOnly: true,
})
export type MaterialRevisionTable = RowOf<typeof materialRevision>

/** An item that a transaction has named, with the unit and price of the latest. */
export const item = companyTable('item', {
  columns: {
    /** '' for an item with a number alone; `itemId` is '' for one with a name alone. */
    itemName: text(),
    itemId: text(),
    unit: text().orNull(),
    /** Ten-thousandths. */
    salesPrice: integer().orNull(),
    /** Name and number in lower case, for search. */
    searchText: text(),
  },
  primaryKey: ['itemName', 'itemId'],
})
export type ItemTable = RowOf<typeof item>

export const favouriteItem = companyTable('favouriteItem', {
  columns: { userId: integer(), itemName: text(), itemId: text() },
  primaryKey: ['userId', 'itemName', 'itemId'],
  references: { userId: 'user' },
})
