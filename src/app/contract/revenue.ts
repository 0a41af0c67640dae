// Revenue: overview, cells, received changes and data quality; amounts are ten-thousandths.
import type { FeedPage, FeedRow, FeedSource } from '../../store/revenue/revenue-feed.ts'
import type { CellSum, DaySum, RevenueDayRange, RevenueLogRow } from '../../store/revenue/revenue-sums.ts'
import type { RevenueTable } from '../../store/tables/revenue.ts'

export type { CellSum, FeedRow }

/** The revenue of a period; null where there is none. */
interface PeriodAmount extends RevenueDayRange {
  readonly amount: number | null
}

export interface KeyFigure extends PeriodAmount {
  readonly name: 'yesterday' | 'week' | 'month' | 'lastMonth' | 'year'
  /** The period a year before. */
  readonly before: PeriodAmount
}

/** A department code that the directory lacks, and its records from the first to the last day. */
export interface UnknownCode {
  readonly departmentId: string
  readonly records: number
  readonly amount: number
  readonly first: string
  readonly last: string
}

/** Findings of the last five weeks. */
export interface DataIssues<Code extends UnknownCode = UnknownCode> {
  readonly missing: readonly { readonly departmentId: string; readonly dates: readonly string[] }[]
  /** Cells with several records. */
  readonly crowded: readonly CellSum[]
  readonly unknown: readonly Code[]
  /** Records without a date, by department; `date` is ''. */
  readonly undated: readonly CellSum[]
}

/** With who sent it last. */
export interface SentCode extends UnknownCode {
  readonly actor: string | null
  readonly at: number | null
}

export interface RevenueOverview extends DataIssues {
  readonly today: string
  readonly figures: readonly KeyFigure[]
  readonly days: readonly DaySum[]
  readonly lastChangedAt: number | null
}

export interface RevenueCellDetails {
  /** The first 200. */
  readonly records: readonly Omit<RevenueTable, 'companyId'>[]
  readonly hasMore: boolean
  readonly log: readonly RevenueLogRow[]
}

/** `before` is the displayed amount: another one in the database is a conflict. */
export interface RevenueEdit {
  readonly date: string
  readonly department: string
  readonly amount: string
  readonly before: string | null
}

export interface NamedFeedPage extends FeedPage {
  /** On the first page: everybody who ever sent revenue. */
  readonly sources: readonly (FeedSource & { readonly actor: string })[]
}
