// Types of revenue writes: rows in, outcomes out, and the handler between.
import type { ActionContext } from '../auth/action-context.ts'
import type { Sliceable } from '../lib/yield-to-event-loop.ts'
import type { ReceiveOutcomes, WriteOutcome, StoredOutcome } from '../model/outcome.ts'
import type { Revenue, WrittenRevenue } from '../model/revenue.ts'
import type { Transaction } from '../store/store.ts'

/** A valid row and its position in the body: `[3]`, or '' for a single object. */
export interface RevenueRow {
  readonly location: string
  readonly values: Partial<Revenue> & { readonly reference?: string | null }
}

export type RevenueRowOutcome = WriteOutcome<WrittenRevenue>

export type StoredRevenueRow = StoredOutcome<WrittenRevenue>

/** A list of any length, and who receives the outcomes of its rows. */
export interface RevenueListWrite {
  readonly rows: Sliceable<RevenueRow>
  readonly context: ActionContext
  readonly receive: ReceiveOutcomes<WrittenRevenue>
}

/** Applies every row it can; the caller decides whether a failed row rolls back all (ADR 0007). */
export type RevenueWriteHandler = (
  transaction: Transaction,
  rows: readonly RevenueRow[],
  context: ActionContext,
) => Promise<readonly RevenueRowOutcome[]>
