// Tables: destinations, export lines, their state at each destination, retrievals, claims and the ledger.
import type { LineKind } from '../../model/transaction.ts'
import { companyTable, index, integer, text, type RowOf } from './define-table.ts'
import { contentColumns } from './field-columns.ts'

export type LedgerAction =
  | 'acknowledged'
  | 'failed'
  | 'retried'
  | 'sent_back'
  | 'released'
  | 'closed'
  | 'undone'
  | 'alert'

/** A receiving system; every company has the destination 1, and every credential belongs to one. */
export const destination = companyTable('destination', {
  columns: {
    id: integer(),
    name: text(),
    /** Changes of exported transactions: rejected (`block`), or exported as reversal and replacement (`lines`). */
    corrections: text<'block' | 'lines'>(),
    /** Lines that one caller has claimed are hidden from others. */
    isExclusive: integer(),
    /** The last day of the receiver's closed periods. */
    lockDate: text().orNull(),
    /** JSON list of the fields whose change is a correction; null for all. */
    exportedFields: text().orNull(),
    /** Highest number of open claims. */
    openClaimsMax: integer(),
    /** A line is parked after this many reported failures. */
    failuresMax: integer(),
    /** Every line that was ready at this timestamp was retrieved; lines of partial replies are in `retrievedLine`. */
    retrievedThrough: integer(),
    /** The last fencing token: incremented when a claim opens or closes. */
    fencingToken: integer(),
    createdAt: integer(),
    compactedUntil: integer().default(0),
  },
})
export type DestinationTable = RowOf<typeof destination>

/** A line for export, frozen at its approval: another approval is another revision. */
export const exportLine = companyTable('exportLine', {
  columns: {
    /** An original line has the id of its transaction, a correction an id of its own. */
    id: integer(),
    revision: integer(),
    materialId: integer(),
    lineKind: text<LineKind>(),
    reversesId: integer().orNull(),
    replacesId: integer().orNull(),
    /** De-duplication key for the receiver; the generation is appended. */
    exportKey: text(),
    ...contentColumns,
    createdAt: integer(),
  },
  primaryKey: ['id', 'revision'],
  indexes: { exportLineCorrection: index(['materialId', 'id'], { where: `"lineKind" <> 'Original'` }) },
  isAppendOnly: true,
})
export type ExportLineTable = RowOf<typeof exportLine>

/** The state of a line at a destination. */
export const destinationLine = companyTable('destinationLine', {
  columns: {
    destinationId: integer(),
    lineId: integer(),
    /** The transaction that is exported when the line is acknowledged; null for a reversal. */
    materialId: integer().orNull(),
    revision: integer(),
    /** Incremented by every undo. */
    generation: integer(),
    state: text<'ready' | 'withdrawn' | 'exported' | 'closed'>(),
    readyAt: integer(),
    postingDate: text(),
    approvedAt: integer(),
    approvedBy: text(),
    failures: integer(),
    /** The last claim that contained it. */
    claimId: integer().orNull(),
    acknowledgedAt: integer().orNull(),
    acknowledgedBy: text().orNull(),
    externalId: text().orNull(),
    /** When it was parked after too many failures: claims skip it, lists still show it. */
    parkedAt: integer().orNull(),
  },
  primaryKey: ['destinationId', 'lineId'],
  indexes: {
    destinationLineReady: index(['destinationId', 'lineId'], { where: `"state" = 'ready'` }),
    destinationLineReadyAt: index(['destinationId', 'readyAt']),
  },
})
export type DestinationLineTable = RowOf<typeof destinationLine>

/** A retrieval: which lines were sent, when and to whom. */
export const retrieval = companyTable('retrieval', {
  columns: {
    id: integer(),
    destinationId: integer(),
    actor: text(),
    requestId: text(),
    at: integer(),
    query: text().orNull(),
    lastLineId: integer(),
    count: integer(),
    /** Sums as decimal text, since they may exceed 64 bits. */
    quantity: text(),
    amount: text(),
    /** SHA-256 over `id:revision,` of every line in order, base64url. */
    hash: text(),
    claimId: integer().orNull(),
    retrievalCount: integer().default(1),
    lastRetrievalId: integer().orNull(),
  },
  indexes: {
    retrievalDestination: index(['destinationId', 'at']),
    retrievalOfAll: index(['destinationId', 'at'], { where: `"query" is null` }),
  },
})
/** Without the columns of compacted retrievals, which only `store/export/compact-retrievals.ts` uses. */
export type RetrievalTable = Omit<RowOf<typeof retrieval>, 'retrievalCount' | 'lastRetrievalId'>

/** A revision of a line that was in a partial reply. */
export const retrievedLine = companyTable('retrievedLine', {
  columns: {
    destinationId: integer(),
    lineId: integer(),
    revision: integer(),
    firstRetrievalId: integer(),
    lastRetrievedOn: text(),
  },
  primaryKey: ['destinationId', 'lineId', 'revision'],
  indexes: { retrievedLineRetrieval: index(['destinationId', 'firstRetrievalId', 'lineId']) },
})

/** An event of a line at a destination; append-only. */
export const ledgerEntry = companyTable('ledgerEntry', {
  columns: {
    id: integer(),
    destinationId: integer(),
    lineId: integer(),
    revision: integer(),
    generation: integer(),
    action: text<LedgerAction>(),
    at: integer(),
    actor: text(),
    requestId: text(),
    externalId: text().orNull(),
    externalUrl: text().orNull(),
    externalBatchId: text().orNull(),
    claimId: integer().orNull(),
    code: text().orNull(),
    reason: text().orNull(),
  },
  indexes: {
    ledgerAlert: index(['destinationId', 'id'], { where: `"action" = 'alert'` }),
    /** All entries of a line but its acknowledgements, which are most and have the next index. */
    ledgerLine: index(['destinationId', 'lineId', 'id'], { where: `"action" <> 'acknowledged'` }),
    ledgerAcknowledgement: index(['destinationId', 'lineId', 'generation'], {
      where: `"action" = 'acknowledged'`,
      isUnique: true,
    }),
  },
  isAppendOnly: true,
})
export type LedgerEntryTable = RowOf<typeof ledgerEntry>

/** A claim: lines that one caller has leased until it expires. */
export const claim = companyTable('claim', {
  columns: {
    id: integer(),
    destinationId: integer(),
    fencingToken: integer(),
    holder: text(),
    state: text<'open' | 'done' | 'released' | 'broken' | 'expired'>(),
    expiresAt: integer(),
    createdAt: integer(),
    requestId: text(),
    retrievalId: integer(),
  },
  indexes: { claimOpen: index(['destinationId', 'expiresAt'], { where: `"state" = 'open'` }) },
})
export type ClaimTable = RowOf<typeof claim>

export const claimLine = companyTable('claimLine', {
  columns: { claimId: integer(), lineId: integer(), revision: integer() },
  primaryKey: ['claimId', 'lineId'],
})
