// What every act on revenue is given, row by row, and what it answers, row by row.
import type { Detail } from '#faults.ts'
import type { Caller } from '#auth/caller.ts'
import type { CompanySettings } from '#auth/company-settings.ts'
import type { Revenue } from '#model/revenue.ts'
import type { Transaction } from '#store/store.ts'

/** A row that was read without complaint, and where it stood: `[3]`, or '' for a single object. */
export interface RevenueRow {
  readonly place: string
  readonly values: Partial<Revenue> & { readonly reference?: string | null }
}

/** Who acts, when and under which rules. */
export interface Deed {
  readonly actor: string
  readonly requestId: string
  /** Microseconds UTC. */
  readonly now: number
  readonly settings: CompanySettings
}

/** What the caller does in one request. `now` in microseconds. */
export const deedOf = ({ actor, company }: Caller, requestId: string, now: number): Deed => ({
  actor,
  requestId,
  now,
  settings: company.settings,
})

/** A stored record, or the reason why the row was left out. */
export type RowOutcome = Stored | Refused

export interface Stored {
  readonly record: Revenue
  /** Made by this act: its key is not to be told by a dry run. */
  readonly isNew: boolean
  /** False when nothing was added, because the reference was used before. */
  readonly isApplied: boolean
}

export interface Refused {
  readonly refused: Detail
}

/** Applies every row it can; whether the others undo it all is the caller's decision (ADR 0007). */
export type RevenueAct = (
  transaction: Transaction,
  rows: readonly RevenueRow[],
  deed: Deed,
) => Promise<readonly RowOutcome[]>
