// Export: overview, lines, retrievals, latency and reconciliation; timestamps are microseconds.
import type { LineAction, EvaluatedLineAction } from '../../export/line-actions.ts'
import type { IdentifierKind } from '../../imports/line-list.ts'
import type { Destination } from '../../store/export/destinations.ts'
import type { LineListName, ListedLine, OpenClaimSummary } from '../../store/export/export-lines.ts'
import type { LedgerEntry, LedgerSummary, ReconcileLine, Retrieval } from '../../store/export/export-log.ts'
import type {
  AlertSummary,
  ExportStageTotals,
  OverdueLines,
  RetrievalSummary,
} from '../../store/export/export-overview.ts'
import type {
  ExportLineDetails,
  ExportRetrievalDetails,
  LineOrigin,
  NamedExportLine,
} from '../../store/export/line-details.ts'

export type {
  ExportLineDetails,
  IdentifierKind,
  LineListName,
  ListedLine,
  OpenClaimSummary,
  LineAction,
  NamedExportLine,
}

export type ExportDestination = Pick<Destination, 'id' | 'name' | 'corrections'>

export interface ExportOverview {
  /** Since when exports are suspended; null where they are not. */
  readonly suspendedSince: number | null
  readonly destinations: readonly ExportDestination[]
  readonly claims: readonly OpenClaimSummary[]
  /** Ready for three days or more. */
  readonly overdue: readonly OverdueLines[]
  readonly stages: readonly ExportStageTotals[]
  readonly alerts: readonly AlertSummary[]
  readonly retrievals: readonly RetrievalSummary[]
  readonly ledgerSummaries: readonly LedgerSummary[]
}

/** A line with its corrections, as last approved, and what happened to it. */
export interface ExportLineHistory {
  readonly lines: readonly NamedExportLine[]
  readonly origin: LineOrigin | null
  readonly retrievals: readonly Pick<Retrieval, 'id' | 'at' | 'actor' | 'requestId' | 'count'>[]
  readonly entries: readonly LedgerEntry[]
}

export interface RetrievalPage {
  readonly retrieval: ExportRetrievalDetails
  readonly lines: readonly ExportLineDetails[]
}

/** Microseconds; null when there are no lines. */
export interface LatencySummary {
  readonly count: number
  readonly median: number | null
  readonly longest: number | null
}

export interface LatencyFigures {
  readonly count: number
  readonly retrieved: LatencySummary
  readonly exported: LatencySummary
  readonly notRetrieved: number
  readonly waiting: number
  readonly longestWaiting: number
}

export interface LatencyPeriod extends LatencyFigures {
  /** First day of the period. */
  readonly start: string
}

export interface ExportLatency {
  /** First day that the figures cover. */
  readonly since: string
  readonly all: LatencyFigures
  readonly periods: readonly LatencyPeriod[]
}

/** What the action would do with a line, or why it cannot. */
export interface LineActionPreview {
  readonly id: number
  readonly code: EvaluatedLineAction['code']
  readonly state: ExportLineDetails['state'] | null
  readonly quantity: number | null
  readonly amount: number | null
  readonly externalId: string | null
  readonly isCorrected: boolean
  readonly isLocked: boolean
}

export interface LineActionResult {
  readonly done: readonly number[]
  readonly others: readonly LineActionPreview[]
}

export interface ReconcileReport {
  readonly listed: number
  readonly both: number
  readonly onlyOurs: readonly ReconcileLine[]
  readonly onlyOursCount: number
  readonly onlyTheirs: readonly {
    readonly id: number | null
    readonly exportKey: string | null
    readonly externalId: string | null
    /** Null when it was never ready for this destination. */
    readonly state: ReconcileLine['state'] | null
  }[]
  readonly onlyTheirsCount: number
}

export interface AcknowledgeResult {
  readonly done: readonly number[]
  readonly others: readonly {
    readonly id: number
    readonly code: string
    readonly state: ExportLineDetails['state'] | null
  }[]
}
