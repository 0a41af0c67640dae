// Plan of `$apply`: steps, each of which reads the rows of an earlier one. Plain data.
import type { Resource } from '../../model/resource.ts'
import type {
  AggregateMethod,
  Condition,
  Join,
  LiteralValue,
  Order,
  Start,
  Value,
  ValueType,
} from '../expressions/expression.ts'

/** The last step returns the rows of the plan. Step numbers are unique among all record numbers of the plan. */
export interface ApplyPlan {
  readonly steps: readonly Step[]
  /** The variants of output rows, where rows have different columns; null where all have the same. */
  readonly variants: Variants | null
}

export interface Variants {
  /** The column with the index of the row's variant, from 0. */
  readonly column: string
  readonly columns: readonly (readonly string[])[]
}

export type Step =
  | RecordsStep
  | RowsStep
  | GroupStep
  | PlaceStep
  | ReachStep
  | TotalsStep
  | WholeStep
  | JoinStep
  | ConcatStep

interface Numbered {
  /** The record number of its rows. */
  readonly number: number
}

/** The records of a resource, with all their fields and their company. */
export interface RecordsStep extends Numbered {
  readonly kind: 'records'
  readonly resource: Resource
  readonly joins: readonly Join[]
  readonly filter: Condition | null
  readonly start: Start | null
}

/** A step that reads the rows of another; its values refer to those. */
interface Taking extends Numbered {
  readonly from: number
  readonly joins: readonly Join[]
  /** The columns that are passed on unchanged. */
  readonly keeps: readonly string[]
}

/** Filters or pages rows, and adds columns. */
export interface RowsStep extends Taking {
  readonly kind: 'rows'
  readonly adds: readonly AddedColumn[]
  readonly filter: Condition | null
  readonly page: StepPage | null
}

export interface AddedColumn {
  readonly name: string
  readonly value: Value
}

export interface StepPage {
  readonly order: readonly Order[]
  readonly top: LiteralValue | null
  readonly skip: LiteralValue | null
}

/** One row for each combination of `keeps`; without any, one row in total, even for no input. */
export interface GroupStep extends Taking {
  readonly kind: 'group'
  readonly aggregates: readonly AggregateColumn[]
  /** Grouping sets: the columns of each level; null where there is only one. */
  readonly levels: Levels | null
}

export interface Levels {
  /** The column with the index of the row's level, from 0. */
  readonly column: string
  readonly columns: readonly (readonly string[])[]
  /** Columns that store null as a blank: null in a rolled-up row as well, and only there. */
  readonly blanks: readonly string[]
}

export interface AggregateColumn {
  readonly name: string
  readonly method: AggregateMethod
  /** Null where rows are counted. */
  readonly value: Value | null
  readonly type: ValueType
}

/** Adds the ordinal of each row, from 1, in its partition. */
export interface PlaceStep extends Taking {
  readonly kind: 'place'
  readonly within: readonly string[]
  readonly order: readonly Order[]
  readonly place: string
}

/** The first rows of each partition, up to the row at which their cumulative sum reaches `amount`. */
export interface ReachStep extends Taking {
  readonly kind: 'reach'
  readonly within: readonly string[]
  readonly order: readonly Order[]
  /** In ten-thousandths. */
  readonly value: Value
  readonly reaches: 'sum' | 'percent'
  readonly amount: LiteralValue
}

/** Adds aggregates over its partition to each row. */
export interface TotalsStep extends Taking {
  readonly kind: 'totals'
  readonly within: readonly string[]
  readonly aggregates: readonly AggregateColumn[]
}

/** The aggregated rows of `from`, and a row without values for each group that has none there. */
export interface WholeStep extends Numbered {
  readonly kind: 'whole'
  readonly from: number
  /** The step with all groups. */
  readonly groups: number
  readonly keeps: readonly string[]
  readonly columns: readonly WholeColumn[]
}

export interface WholeColumn {
  readonly name: string
  readonly type: ValueType
  /** 0, not null, for no rows. */
  readonly isCount: boolean
}

/** Joins the rows of two steps; an outer join keeps rows of the first without a match. */
export interface JoinStep extends Numbered {
  readonly kind: 'join'
  readonly from: number
  readonly with: number
  /** The columns of `from` that are passed on. */
  readonly keeps: readonly string[]
  /** The columns of `with`. */
  readonly adds: readonly AddedColumn[]
  readonly on: readonly { readonly left: Value; readonly right: Value }[]
  readonly isOuter: boolean
}

/** Concatenates the rows of several steps. */
export interface ConcatStep extends Numbered {
  readonly kind: 'concat'
  readonly of: readonly ConcatBranch[]
  readonly columns: readonly ConcatColumn[]
  /** The columns with a row's branch, its ordinal in the branch, and its variant. */
  readonly branch: string
  readonly place: string
  readonly variant: string
}

export interface ConcatBranch {
  readonly from: number
  readonly order: readonly Order[]
  /** In the order of the output columns; null where the branch lacks the column. */
  readonly columns: readonly (Value | null)[]
  /** Added to the variant index of the branch's own rows. */
  readonly variantFrom: number
  readonly variant: Value | null
}

export interface ConcatColumn {
  readonly name: string
  readonly type: ValueType
}
