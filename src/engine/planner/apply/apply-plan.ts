// `$apply`, decided: steps that each take the rows of an earlier one and give others. Plain data.
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

/** The last step gives the rows of the plan. Numbers of steps are distinct from all others of the plan. */
export interface ApplyPlan {
  readonly steps: readonly Step[]
  /** The kinds of rows that come out, where there are several: which columns each of them has. */
  readonly variants: Variants | null
}

export interface Variants {
  /** The column that tells which of them a row is, counted from 0. */
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
  /** What its columns are said to be `of`. */
  readonly number: number
}

/** The records of a resource, all their fields, and their company. */
export interface RecordsStep extends Numbered {
  readonly kind: 'records'
  readonly resource: Resource
  readonly joins: readonly Join[]
  readonly filter: Condition | null
  readonly start: Start | null
}

/** What all steps have that take the rows of another; its values are of those. */
interface Taking extends Numbered {
  readonly from: number
  readonly joins: readonly Join[]
  /** Columns that are handed on. */
  readonly keeps: readonly string[]
}

/** The rows that pass, or a part of them, each with more columns. */
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

/** One row for each combination of what is kept; without any, one for all, also where there is none. */
export interface GroupStep extends Taking {
  readonly kind: 'group'
  readonly aggregates: readonly AggregateColumn[]
  /** The columns of each level, where the same rows are grouped in several ways; null where in one. */
  readonly levels: Levels | null
}

export interface Levels {
  /** The column that tells of which level a row is, counted from 0. */
  readonly column: string
  readonly columns: readonly (readonly string[])[]
  /** Columns that hold a blank for null: what is rolled up is null too, and no other. */
  readonly blanks: readonly string[]
}

export interface AggregateColumn {
  readonly name: string
  readonly method: AggregateMethod
  /** Null where rows are counted. */
  readonly value: Value | null
  readonly type: ValueType
}

/** Each row with its place, from 1, among those that are alike in `within`. */
export interface PlaceStep extends Taking {
  readonly kind: 'place'
  readonly within: readonly string[]
  readonly order: readonly Order[]
  readonly place: string
}

/** The first rows of each group, up to the one with which the sum of them reaches what is wanted. */
export interface ReachStep extends Taking {
  readonly kind: 'reach'
  readonly within: readonly string[]
  readonly order: readonly Order[]
  /** In ten-thousandths. */
  readonly value: Value
  readonly reaches: 'sum' | 'percent'
  readonly amount: LiteralValue
}

/** Each row with what all that are alike in `within` come to. */
export interface TotalsStep extends Taking {
  readonly kind: 'totals'
  readonly within: readonly string[]
  readonly aggregates: readonly AggregateColumn[]
}

/** The sums of `from`, and a row without them for each group that has none there. */
export interface WholeStep extends Numbered {
  readonly kind: 'whole'
  readonly from: number
  /** The step that has every group. */
  readonly groups: number
  readonly keeps: readonly string[]
  readonly columns: readonly WholeColumn[]
}

export interface WholeColumn {
  readonly name: string
  readonly type: ValueType
  /** It is 0 where there is nothing to count. */
  readonly isCount: boolean
}

/** Each row of a step with each of another that belongs to it; an outer one keeps those that none belongs to. */
export interface JoinStep extends Numbered {
  readonly kind: 'join'
  readonly from: number
  readonly with: number
  /** Columns of the first that are handed on. */
  readonly keeps: readonly string[]
  /** Of the other. */
  readonly adds: readonly AddedColumn[]
  readonly on: readonly { readonly left: Value; readonly right: Value }[]
  readonly isOuter: boolean
}

/** The rows of several steps, one after the other. */
export interface ConcatStep extends Numbered {
  readonly kind: 'concat'
  readonly of: readonly ConcatBranch[]
  readonly columns: readonly ConcatColumn[]
  /** The columns that tell a row's branch, its place in there, and its variant. */
  readonly branch: string
  readonly place: string
  readonly variant: string
}

export interface ConcatBranch {
  readonly from: number
  readonly order: readonly Order[]
  /** In the order of the columns that come out; null where the branch has none for it. */
  readonly columns: readonly (Value | null)[]
  /** Added to the variant of the branch's own rows. */
  readonly variantFrom: number
  readonly variant: Value | null
}

export interface ConcatColumn {
  readonly name: string
  readonly type: ValueType
}
