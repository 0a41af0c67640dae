// What is handed out, to whom, and what became of it, as Kysely sees it.
import type { LineKind } from '../../model/transaction.ts'
import type { MaterialContentColumns } from './materials.ts'

/** A receiver of lines; every company has one with the id 1, and every credential belongs to one. */
export interface DestinationTable {
  companyId: number
  id: number
  name: string
  /** What becomes of a change to what was exported: refused, or handed out as a reversal and a replacement. */
  corrections: 'block' | 'lines'
  /** What one caller has claimed is hidden from the others. */
  isExclusive: number
  /** The last day of the receiver's closed periods. */
  lockDate: string | null
  /** JSON list of the fields whose change is a correction; null for all. */
  exportedFields: string | null
  /** How many claims may be open at a time. */
  batchesMax: number
  /** After so many reported failures a line counts as parked. */
  failuresMax: number
  /** Every line that was ready at this stamp has been served; lines of smaller answers stand in `servedLine`. */
  servedAt: number
  /** The number of the last claim, or end of one. */
  fence: number
  createdAt: number
}

/** What can be handed out, frozen when it was approved. */
export interface ExportLineTable extends MaterialContentColumns {
  companyId: number
  /** An original has the id of its transaction, a correction a number of its own. */
  id: number
  revision: number
  materialId: number
  lineKind: LineKind
  reversesId: number | null
  replacesId: number | null
  /** What the receiver keeps as its reference; the generation is added behind it. */
  exportKey: string
  createdAt: number
}

/** Where a line stands at a destination. */
export interface OfferTable {
  companyId: number
  destinationId: number
  lineId: number
  /** The transaction that is exported when the line is marked; null for a reversal. */
  materialId: number | null
  revision: number
  /** Raised by every undo. */
  generation: number
  state: 'ready' | 'withdrawn' | 'exported' | 'closed'
  readyAt: number
  postingDate: string
  approvedAt: number
  approvedBy: string
  failures: number
  /** Since when it has failed too often, and no claim takes it; it stays on the list. */
  parkedAt: number | null
  /** The claim that it was last part of. */
  batchId: number | null
  markedAt: number | null
  markedBy: string | null
  externalId: string | null
}

/** One retrieval: what left, when and to whom. */
export interface HandOutTable {
  companyId: number
  id: number
  destinationId: number
  actor: string
  requestId: string
  at: number
  query: string | null
  upperLineId: number
  count: number
  /** Sums as decimal text: they may be larger than a number holds exactly. */
  quantity: string
  amount: string
  /** SHA-256 over `id:revision,` of every line in order, base64url. */
  hash: string
  batchId: number | null
}

/** A revision of a line that was in an answer with less than all that waited. */
export interface ServedLineTable {
  companyId: number
  destinationId: number
  lineId: number
  revision: number
  firstHandOutId: number
  lastServedOn: string
}

export type LedgerAct =
  | 'marked'
  | 'failed'
  | 'retried'
  | 'sent_back'
  | 'released'
  | 'closed'
  | 'undone'
  | 'alarm'

/** What happened to a line at a destination; never changed. */
export interface LedgerEntryTable {
  companyId: number
  id: number
  destinationId: number
  lineId: number
  revision: number
  generation: number
  act: LedgerAct
  at: number
  actor: string
  requestId: string
  /** Whether the revision had been served to the destination by then. */
  wasServed: number
  externalId: string | null
  externalUrl: string | null
  externalBatchId: string | null
  batchId: number | null
  code: string | null
  reason: string | null
}

/** A claim: lines that one caller holds until it expires. */
export interface BatchTable {
  companyId: number
  id: number
  destinationId: number
  fence: number
  holder: string
  state: 'open' | 'done' | 'released' | 'broken' | 'expired'
  expiresAt: number
  createdAt: number
  requestId: string
  handOutId: number
}

export interface BatchLineTable {
  companyId: number
  batchId: number
  lineId: number
  revision: number
}
