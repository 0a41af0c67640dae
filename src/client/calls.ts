// What a client can be asked to do, and what it answers.
import type { ElementResult } from './error.ts'
import type { ExportLine, NewTransaction } from './line.ts'

export interface Client {
  /** The lines that wait, in the order of their ids. Reading changes nothing. */
  exportable(options?: Reading): AsyncGenerator<ExportLine, void>
  /**
   * Lines that were taken in, by id or with what is known of them. Repeating it is harmless. Throws `DagsverkError`
   * `NothingMarked` where none of them is or became exported.
   */
  markExported(lines: readonly (number | Item)[], options?: Signalled): Promise<Results>
  /** Lines that could not be taken in: they stay on the list, and the reason is kept. */
  reportFailed(failures: readonly Failure[], options?: Signalled): Promise<Results>
  /** Lines that nobody holds, held for this caller until the claim ends; null where none is free. */
  claim(options?: Claiming): Promise<Claim | null>
  /** Holds them for so many seconds from now. Throws `DagsverkError` `BatchEnded`. */
  extend(claimId: number, options: { readonly leaseSeconds: number } & Signalled): Promise<Holding>
  /** The same as marking, and the claim is over when nothing of it is left. It is never too late. */
  report(claimId: number, report: Report, options?: Signalled): Promise<Results>
  /** Lets go of what is left of a claim. */
  release(claimId: number, options?: Signalled): Promise<Holding>
  /** Registers transactions: all of them, or with `isAtomic: false` those that can be. */
  registerBatch(transactions: readonly NewTransaction[], options?: Registering): Promise<Results>
  /** Hands every line that waits to `handle` and reports what came of it; see `LoopOptions`. */
  exportLoop(handle: Handle, options?: LoopOptions): Promise<LoopOutcome>
}

export interface Signalled {
  readonly signal?: AbortSignal | undefined
}

export interface Reading extends Signalled {
  /** A condition of OData, like `ProsjektId eq 'P1'`. */
  readonly filter?: string | undefined
  /** Only lines with a higher id. */
  readonly after?: number
  /** Lines in one answer. */
  readonly pageSize?: number
}

export interface Item {
  readonly id: number
  /** What the receiver calls it. */
  readonly externalId?: string
  readonly externalUrl?: string
  /** The `Revisjon` that was taken in. */
  readonly revision?: number
}

export interface Failure {
  readonly id: number
  readonly code?: string
  readonly message?: string
}

export interface Report {
  readonly items?: readonly Item[]
  readonly failed?: readonly Failure[]
}

export interface Claiming extends Signalled {
  /** How many lines at most. */
  readonly max?: number
  readonly filter?: string | undefined
  readonly leaseSeconds?: number
}

/** A claim as it stands. */
export interface Holding {
  readonly id: number
  /** Of two claims the one with the higher number is the later. */
  readonly fence: number
  readonly heldUntil: string
}

export interface Claim extends Holding {
  readonly lines: readonly ExportLine[]
  /** Of the lines, as the server added them up. */
  readonly sums: { readonly quantity: string | number; readonly amount: string | number }
}

export interface Registering extends Signalled {
  readonly isAtomic?: boolean
}

/** What became of each element, in the order of the request. */
export interface Results {
  readonly results: readonly ElementResult[]
  /** How many of each code. */
  readonly counts: Readonly<Record<string, number>>
}

/**
 * Takes a line in. After a crash the same line comes again with the same `Eksportnokkel`: whoever has that key does
 * nothing and says so by returning. What it throws is reported as a failure of the line, and the loop goes on.
 */
export type Handle = (line: ExportLine, handling: Handling) => Promise<TakenIn | void>

export interface Handling {
  readonly signal: AbortSignal | undefined
}

/** What the receiver calls the line. */
export interface TakenIn {
  readonly externalId?: string
  readonly externalUrl?: string
}

export interface LoopOptions {
  /** Stops after the line at hand: what was handled is reported, the rest is let go. */
  readonly signal?: AbortSignal
  /** A condition of OData for the lines that are wanted. */
  readonly filter?: string
  /** Claims keep several workers apart. Without, lines are listed; so they are where a server knows no claims. */
  readonly claims?: boolean
  /** Lines in one claim, or in one page of the list. */
  readonly max?: number
  /** How long a claim outlives a worker that crashed: it is extended while lines are handled. */
  readonly leaseSeconds?: number
  /** How many lines one report is about. After a crash so many are handled again at most. */
  readonly reportEvery?: number
  /** How long to wait where nothing is left, before looking again; without it the loop ends there. */
  readonly idleSeconds?: number
  /** Hears what the server made of each report. */
  readonly onReport?: (results: readonly ElementResult[]) => void
}

export interface LoopOutcome {
  /** How many results of each code: `exported`, `already_exported`, `failed_recorded`, and what docs/api.md has beside. */
  readonly counts: Readonly<Record<string, number>>
}
