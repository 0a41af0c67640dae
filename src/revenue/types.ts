// Types of revenue writes: rows in, outcomes out, and the handler between.
import type { ActionContext } from '../auth/action-context.ts'
import type { WriteOutcome, StoredOutcome } from '../model/outcome.ts'
import type { Revenue } from '../model/revenue.ts'
import type { Transaction } from '../store/store.ts'

/** A valid row and its position in the body: `[3]`, or '' for a single object. */
export interface RevenueRow {
  readonly location: string
  readonly values: Partial<Revenue> & { readonly reference?: string | null }
}

export type RevenueRowOutcome = WriteOutcome<Revenue>

export type StoredRevenueRow = StoredOutcome<Revenue>

/** Applies every row it can; the caller decides whether a failed row rolls back all (ADR 0007). */
export type RevenueWriteHandler = (
  transaction: Transaction,
  rows: readonly RevenueRow[],
  context: ActionContext,
) => Promise<readonly RevenueRowOutcome[]>
