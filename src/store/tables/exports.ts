// Tables: destinations, export lines, their state at each destination, retrievals, claims and the ledger.
import type { LineKind } from '../../model/transaction.ts'
import { companyTable, index, integer, text, type RowOf } from './define-table.ts'
import { contentColumns } from './materials.ts'

export type LedgerAction =
  | 'marked'
  | 'failed'
  | 'retried'
  | 'sent_back'
  | 'released'
  | 'closed'
  | 'undone'
  | 'alarm'

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
    batchesMax: integer(),
    /** A line is parked after this many reported failures. */
    failuresMax: integer(),
    /** Every line that was ready at this timestamp was retrieved; lines of partial replies are in `servedLine`. */
    servedAt: integer(),
    /** The last fencing token: incremented when a claim opens or closes. */
    fence: integer(),
    createdAt: integer(),
    foldedUntil: integer().default(0),
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
  indexes: {
    exportLineCorrection: index(['materialId', 'id'], { where: `"lineKind" <> 'Original'` }),
  },
  isAppendOnly: true,
})
export type ExportLineTable = RowOf<typeof exportLine>

/** The state of a line at a destination. */
export const offer = companyTable('offer', {
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
    batchId: integer().orNull(),
    markedAt: integer().orNull(),
    markedBy: text().orNull(),
    externalId: text().orNull(),
    /** When it was parked after too many failures: claims skip it, lists still show it. */
    parkedAt: integer().orNull(),
  },
  primaryKey: ['destinationId', 'lineId'],
  indexes: {
    offerReady: index(['destinationId', 'lineId'], { where: `"state" = 'ready'` }),
    offerReadyAt: index(['destinationId', 'readyAt']),
  },
})
export type DestinationLineTable = RowOf<typeof offer>

/** A retrieval: which lines were sent, when and to whom. */
export const handOut = companyTable('handOut', {
  columns: {
    id: integer(),
    destinationId: integer(),
    actor: text(),
    requestId: text(),
    at: integer(),
    query: text().orNull(),
    upperLineId: integer(),
    count: integer(),
    /** Sums as decimal text, since they may exceed 64 bits. */
    quantity: text(),
    amount: text(),
    /** SHA-256 over `id:revision,` of every line in order, base64url. */
    hash: text(),
    batchId: integer().orNull(),
    retrievals: integer().default(1),
    throughId: integer().orNull(),
  },
  indexes: {
    handOutDestination: index(['destinationId', 'at']),
    handOutOfAll: index(['destinationId', 'at'], { where: `"query" is null` }),
  },
})
/** Without the columns of compacted retrievals, which only `store/export/compact-retrievals.ts` uses. */
export type RetrievalTable = Omit<RowOf<typeof handOut>, 'retrievals' | 'throughId'>

/** A revision of a line that was in a partial reply. */
export const servedLine = companyTable('servedLine', {
  columns: {
    destinationId: integer(),
    lineId: integer(),
    revision: integer(),
    firstHandOutId: integer(),
    lastServedOn: text(),
  },
  primaryKey: ['destinationId', 'lineId', 'revision'],
  indexes: {
    servedLineHandOut: index(['destinationId', 'firstHandOutId', 'lineId']),
  },
})

/** An event of a line at a destination; append-only. */
export const ledgerEntry = companyTable('ledgerEntry', {
  columns: {
    id: integer(),
    destinationId: integer(),
    lineId: integer(),
    revision: integer(),
    generation: integer(),
    act: text<LedgerAction>(),
    at: integer(),
    actor: text(),
    requestId: text(),
    /** Whether the destination had retrieved the revision by then. */
    wasServed: integer(),
    externalId: text().orNull(),
    externalUrl: text().orNull(),
    externalBatchId: text().orNull(),
    batchId: integer().orNull(),
    code: text().orNull(),
    reason: text().orNull(),
  },
  indexes: {
    ledgerAlarm: index(['destinationId', 'id'], { where: `"act" = 'alarm'` }),
    ledgerLine: index(['lineId', 'id']),
    ledgerMark: index(['destinationId', 'lineId', 'generation'], {
      where: `"act" = 'marked'`,
      isUnique: true,
    }),
  },
  isAppendOnly: true,
})
export type LedgerEntryTable = RowOf<typeof ledgerEntry>

/** A claim: lines that one caller has leased until it expires. */
export const batch = companyTable('batch', {
  columns: {
    id: integer(),
    destinationId: integer(),
    fence: integer(),
    holder: text(),
    state: text<'open' | 'done' | 'released' | 'broken' | 'expired'>(),
    expiresAt: integer(),
    createdAt: integer(),
    requestId: text(),
    handOutId: integer(),
  },
  indexes: {
    batchOpen: index(['destinationId', 'expiresAt'], { where: `"state" = 'open'` }),
  },
})
export type ClaimTable = RowOf<typeof batch>

export const batchLine = companyTable('batchLine', {
  columns: {
    batchId: integer(),
    lineId: integer(),
    revision: integer(),
  },
  primaryKey: ['batchId', 'lineId'],
})

/**
 * The lines that a destination may retrieve, as `TransaksjonsEksport` shows them: the line as it was approved, its state
 * at the destination, and who has claimed it. From the second generation on, the export key has the generation behind it.
 */
export const exportableView = `
  select offer."companyId", offer."destinationId", offer."lineId" as id, offer."readyAt",
    ${Object.keys(contentColumns)
      .map((name) => `line."${name}"`)
      .join(', ')},
    'Godkjent' as state, null as "rejectionReason", offer."approvedAt", offer."approvedBy",
    cast(null as bigint) as "exportedAt", offer."readyAt" as "changedAt", line."createdAt",
    line."materialId" as "transactionId", line.revision, line."lineKind", line."reversesId", line."replacesId",
    case when offer.generation = 1 then line."exportKey"
      else line."exportKey" || '.g' || offer.generation end as "exportKey",
    offer."postingDate", batch.holder as "heldBy", batch."expiresAt" as "heldUntil", offer.failures, offer."parkedAt"
  from offer
  join "exportLine" as line on line."companyId" = offer."companyId" and line.id = offer."lineId"
    and line.revision = offer.revision
  left join batch on batch."companyId" = offer."companyId" and batch.id = offer."batchId"
    and batch.state = 'open'
  where offer.state = 'ready'`
