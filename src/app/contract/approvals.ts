// Approvals: material transactions to approve, and decisions on them.
import type { TextFields } from './path.ts'
import type { Decision, DecisionOutcome } from '../../material/decide.ts'
import type { TransactionState, transactionStates } from '../../model/transaction.ts'
import type { LedgerEntry } from '../../store/export/export-log.ts'
import type { anomalyBits } from '../../store/material/anomaly-flags.ts'
import type { ApprovalGroup } from '../../store/material/approval-groups.ts'
import type { UsualQuantity } from '../../store/material/line-comparison.ts'
import type { LineGrouping } from '../../store/material/grouping.ts'
import type { LineSort } from '../../store/material/line-order.ts'
import type { NamedMaterial } from '../../store/material/material-rows.ts'
import type { MaterialRevisionTable } from '../../store/tables/materials.ts'

export type { LineGrouping }

/** A line, for one user. */
export interface MaterialRow extends NamedMaterial {
  /** Under four-eyes approval, the user registered a waiting line or was the last to change it: somebody else approves it. */
  readonly isOwn: boolean
}

/** What a list can be sorted by, in the query string. */
export type SortName = LineSort['by']

/** A state in the query string. */
export type LineState = keyof typeof transactionStates

/** The bits of `anomalyFlags`. */
export type AnomalyBits = typeof anomalyBits

export interface AnomalousLine extends MaterialRow {
  /** A sum of `AnomalyBits`. */
  readonly anomalyFlags: number
}

export type LineGroup = ApprovalGroup

/** Timestamp of the last write that a reply includes: a decision on its lines states it. */
interface ReadLines {
  readonly readAt: number
}

export interface ApprovalOverview extends ReadLines {
  readonly groups: readonly LineGroup[]
  /** For an ungrouped list: the number of lines per day. */
  readonly steps: readonly Pick<LineGroup, 'key' | 'count'>[]
  readonly counts: readonly { readonly state: TransactionState; readonly count: number }[]
  /** The oldest anomalous lines; `anomalyCount` counts all. */
  readonly anomalies: readonly AnomalousLine[]
  readonly anomalyCount: number
  /** The first lines of the list, as many as `top` asks for. */
  readonly firstLines: readonly MaterialRow[]
}

/** The matching lines: how many, how many of them are anomalous, their total, and the oldest date. */
export interface ApprovalTotals extends Pick<LineGroup, 'count' | 'anomalyCount' | 'amount'> {
  readonly oldest: string | null
}

/** Lines to select: the first ids that match, as many as one decision takes, and the amount of each, without own lines. */
export interface SelectableLines extends ReadLines {
  readonly ids: readonly number[]
  readonly amounts: readonly (number | null)[]
  readonly ownCount: number
}

export interface MaterialLineDetails extends ReadLines {
  readonly row: MaterialRow
  readonly revisions: readonly (Omit<MaterialRevisionTable, 'companyId' | 'materialId' | 'content'> & {
    readonly content: Readonly<Record<string, unknown>>
  })[]
  /** What destinations did with it. */
  readonly received: readonly (Pick<LedgerEntry, 'action' | 'at' | 'actor' | 'externalId' | 'reason'> & {
    readonly destinationId: number
  })[]
  readonly linesOfProject: readonly MaterialRow[]
  /** Quantities between the quartiles of other recent lines of the item; null for a decided line, or without enough others. */
  readonly usual: UsualQuantity | null
  /** Other recent lines that a waiting line may repeat. */
  readonly duplicates: readonly number[]
}

/** The fields to change; numbers are decimal text, and an empty text clears the field. */
export type LineEdit = Partial<TextFields<'projectId' | 'departmentId' | 'quantity' | 'salesPrice'>>

export interface LinesEdit extends LineEdit, Pick<DecisionBody, 'ids' | 'readAt'> {}

export type ApprovalAction = Decision['action']

export interface DecisionBody {
  readonly action: ApprovalAction
  /** Such as `3-7,12`. */
  readonly ids: string
  readonly reason: string | null
  /** Lines that were changed after it are left alone and reported as `changed`; null is for all. */
  readonly readAt: string | null
}

export interface DecisionResult {
  readonly done: readonly number[]
  /** The other lines: why not, their state, and who set it when. */
  readonly others: readonly {
    readonly id: number
    readonly code: DecisionOutcome['code'] | 'changed' | (string & {})
    readonly state: TransactionState | null
    readonly by: string | null
    readonly at: number | null
  }[]
}
