// Tables: material transactions, their revisions, and the items that they name.
import type { TransactionState } from '../../model/transaction.ts'
import { companyTable, index, integer, text, type RowOf } from './define-table.ts'
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
  },
  indexes: {
    materialDay: index(['state', 'date', 'id', 'projectId', 'departmentId', 'employeeId', 'source', 'amount']),
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
