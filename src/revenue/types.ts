// What every act on revenue is given, row by row, and what it answers, row by row.
import type { Deed } from '../auth/action-context.ts'
import type { Outcome, Stored } from '../model/outcome.ts'
import type { Revenue } from '../model/revenue.ts'
import type { Transaction } from '../store/store.ts'

/** A row that was read without complaint, and where it stood: `[3]`, or '' for a single object. */
export interface RevenueRow {
  readonly place: string
  readonly values: Partial<Revenue> & { readonly reference?: string | null }
}

export type RowOutcome = Outcome<Revenue>

export type StoredRow = Stored<Revenue>

/** Applies every row it can; whether the others undo it all is the caller's decision (ADR 0007). */
export type RevenueAct = (
  transaction: Transaction,
  rows: readonly RevenueRow[],
  deed: Deed,
) => Promise<readonly RowOutcome[]>
