// Types of the client library: operations, options and results.
import type { ElementResult } from './error.ts'
import type { ExportLine, NewTransaction } from './line.ts'

export interface Client {
  /** Reads the export list, ordered by id. Changes nothing. */
  exportable(options?: ListOptions): AsyncGenerator<ExportLine, void>
  /**
   * Marks lines as exported, by id or with details. Idempotent. Throws `DagsverkError` `NothingMarked` when none of them
   * is or became exported.
   */
  markExported(lines: readonly (number | ExportedItem)[], options?: AbortOptions): Promise<Results>
  /** Reports failed lines. They stay on the export list, with the reason. */
  reportFailed(failures: readonly FailedItem[], options?: AbortOptions): Promise<Results>
  /** Claims free lines for this worker until the lease expires; null when there are none. */
  claim(options?: ClaimOptions): Promise<Claim | null>
  /** Extends the lease to `leaseSeconds` from now. Throws `DagsverkError` `ClaimClosed`. */
  extend(claimId: number, options: { readonly leaseSeconds: number } & AbortOptions): Promise<ClaimLease>
  /** Reports results of a claim, which closes when no line is left. Results are accepted after its lease expired. */
  report(claimId: number, report: ClaimReport, options?: AbortOptions): Promise<Results>
  /** Releases the remaining lines of a claim. */
  release(claimId: number, options?: AbortOptions): Promise<ClaimLease>
  /** Registers transactions: all or none, or with `isAtomic: false` the valid ones. */
  registerBatch(transactions: readonly NewTransaction[], options?: RegisterOptions): Promise<Results>
  /** Passes each waiting line to `handle` and reports the result; see `LoopOptions`. */
  exportLoop(handle: LineHandler, options?: LoopOptions): Promise<LoopOutcome>
}

export interface AbortOptions {
  readonly signal?: AbortSignal | undefined
}

export interface ListOptions extends AbortOptions {
  /** An OData `$filter`, like `ProsjektId eq 'P1'`. */
  readonly filter?: string | undefined
  /** Only lines with a higher id. */
  readonly after?: number
  /** Lines per response. */
  readonly pageSize?: number
}

export interface ExportedItem {
  readonly id: number
  /** Id of the record at the receiver. */
  readonly externalId?: string
  readonly externalUrl?: string
  /** The `Revisjon` that was imported. */
  readonly revision?: number
}

export interface FailedItem {
  readonly id: number
  readonly code?: string
  readonly message?: string
}

export interface ClaimReport {
  readonly items?: readonly ExportedItem[]
  readonly failed?: readonly FailedItem[]
}

export interface ClaimOptions extends AbortOptions {
  /** Maximum number of lines. */
  readonly max?: number
  readonly filter?: string | undefined
  readonly leaseSeconds?: number
}

/** The lease of a claim. */
export interface ClaimLease {
  readonly id: number
  /** Fencing token: a later claim has a higher number. */
  readonly fencingToken: number
  readonly claimedUntil: string
}

export interface Claim extends ClaimLease {
  readonly lines: readonly ExportLine[]
  /** Sums of the lines, computed by the server. */
  readonly sums: { readonly quantity: string | number; readonly amount: string | number }
}

export interface RegisterOptions extends AbortOptions {
  readonly isAtomic?: boolean
}

/** The result of each element, in request order. */
export interface Results {
  readonly results: readonly ElementResult[]
  /** Number of results per code. */
  readonly counts: Readonly<Record<string, number>>
}

/**
 * Imports a line. After a crash the same line is passed again with the same `Eksportnokkel`; a handler that has stored
 * this key already must return without importing it again. Errors are reported as failures of the line.
 */
export type LineHandler = (line: ExportLine, handling: HandlerOptions) => Promise<HandlerResult | void>

export interface HandlerOptions {
  readonly signal: AbortSignal | undefined
}

/** Identifies the imported record at the receiver. */
export interface HandlerResult {
  readonly externalId?: string
  readonly externalUrl?: string
}

export interface LoopOptions {
  /** Stops after the current line, reports the results and releases the remaining lines. */
  readonly signal?: AbortSignal
  /** An OData `$filter` for the lines. */
  readonly filter?: string
  /** Whether to claim lines, so that several workers can run. Falls back to listing when the server has no claims. */
  readonly claims?: boolean
  /** Lines per claim or page. */
  readonly max?: number
  /** How long lines of a crashed worker stay claimed. The lease is extended while lines are handled. */
  readonly leaseSeconds?: number
  /** Lines per report: the maximum number of lines that are handled again after a crash. */
  readonly reportEvery?: number
  /** Polling interval when no lines are left. Without it the loop ends then. */
  readonly idleSeconds?: number
  /** Called with the results of each report. */
  readonly onReport?: (results: readonly ElementResult[]) => void
}

export interface LoopOutcome {
  /** Number of results per code: `exported`, `already_exported`, `failed_recorded` and others (docs/api.md). */
  readonly counts: Readonly<Record<string, number>>
}
