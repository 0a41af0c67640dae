// Plan of `$apply`: steps, each of which reads the rows of an earlier one. Plain data.
import type { Resource } from '../../model/resource.ts'
import type {
  AggregateMethod,
  Condition,
  RecordJoin,
  LiteralValue,
  SortTerm,
  ParentRecord,
  Value,
  ValueType,
} from '../expressions/bound-expression.ts'

/** The last step returns the rows of the plan. Step numbers are unique among all record numbers of the plan. */
export interface ApplyPlan {
  readonly steps: readonly ApplyStep[]
  /** The types of output rows, where rows have different columns; null where all have the same. */
  readonly rowTypes: RowTypes | null
}

export interface RowTypes {
  /** The column with the index of the row's type, from 0. */
  readonly column: string
  readonly columns: readonly (readonly string[])[]
}

export type ApplyStep =
  | RecordsStep
  | RowsStep
  | GroupStep
  | OrdinalStep
  | CumulativeLimitStep
  | PartitionAggregateStep
  | MissingGroupsStep
  | JoinStep
  | ConcatStep

interface NumberedStep {
  /** The record number of its rows. */
  readonly number: number
}

/** The records of a resource, with all their fields and their company. */
export interface RecordsStep extends NumberedStep {
  readonly kind: 'records'
  readonly resource: Resource
  readonly joins: readonly RecordJoin[]
  readonly filter: Condition | null
  readonly parent: ParentRecord | null
}

/** A step that reads the rows of another; its values refer to those. */
export interface DerivedStep extends NumberedStep {
  readonly from: number
  readonly joins: readonly RecordJoin[]
  /** The columns that are passed on unchanged. */
  readonly passedColumns: readonly string[]
}

/** Filters or pages rows, and adds columns. */
export interface RowsStep extends DerivedStep {
  readonly kind: 'rows'
  readonly addedColumns: readonly AddedColumn[]
  readonly filter: Condition | null
  readonly page: StepPage | null
}

export interface AddedColumn {
  readonly name: string
  readonly value: Value
}

export interface StepPage {
  readonly order: readonly SortTerm[]
  readonly top: LiteralValue | null
  readonly skip: LiteralValue | null
}

/** One row for each combination of `passedColumns`; without any, one row in total, even for no input. */
export interface GroupStep extends DerivedStep {
  readonly kind: 'group'
  readonly aggregates: readonly AggregateColumn[]
  /** Grouping sets: the columns of each level; null where there is only one. */
  readonly levels: GroupingLevels | null
}

export interface GroupingLevels {
  /** The column with the index of the row's level, from 0. */
  readonly column: string
  readonly columns: readonly (readonly string[])[]
  /** Columns that store '' for null, so NULL marks a rolled-up row only. */
  readonly blanks: readonly string[]
}

export interface AggregateColumn {
  readonly name: string
  readonly method: AggregateMethod
  /** Null where rows are counted. */
  readonly value: Value | null
  readonly type: ValueType
}

/** A step about each partition: the rows with equal values of these columns. */
export interface PartitionedStep extends DerivedStep {
  readonly partitionBy: readonly string[]
}

/** Adds the ordinal of each row, from 1, in its partition. */
export interface OrdinalStep extends PartitionedStep {
  readonly kind: 'ordinal'
  readonly order: readonly SortTerm[]
  readonly ordinal: string
}

/** The first rows of each partition, up to the row at which their cumulative sum reaches `amount`. */
export interface CumulativeLimitStep extends PartitionedStep {
  readonly kind: 'cumulativeLimit'
  readonly order: readonly SortTerm[]
  /** In ten-thousandths. */
  readonly value: Value
  readonly unit: 'sum' | 'percent'
  readonly amount: LiteralValue
}

/** Adds aggregates over its partition to each row. */
export interface PartitionAggregateStep extends PartitionedStep {
  readonly kind: 'partitionAggregate'
  readonly aggregates: readonly AggregateColumn[]
}

/** The aggregated rows of `from`, and a row without values for each group that has none there. */
export interface MissingGroupsStep extends NumberedStep {
  readonly kind: 'missingGroups'
  readonly from: number
  /** The step with all groups. */
  readonly groups: number
  readonly passedColumns: readonly string[]
  readonly columns: readonly MissingGroupsColumn[]
}

export interface MissingGroupsColumn {
  readonly name: string
  readonly type: ValueType
  /** 0, not null, for no rows. */
  readonly isCount: boolean
}

/** Joins the rows of two steps; an outer join keeps rows of the first without a match. */
export interface JoinStep extends NumberedStep {
  readonly kind: 'join'
  readonly from: number
  readonly with: number
  /** The columns of `from` that are passed on. */
  readonly passedColumns: readonly string[]
  /** The columns of `with`. */
  readonly addedColumns: readonly AddedColumn[]
  readonly on: readonly { readonly left: Value; readonly right: Value }[]
  readonly isOuter: boolean
}

/** Concatenates the rows of several steps. */
export interface ConcatStep extends NumberedStep {
  readonly kind: 'concat'
  readonly of: readonly ConcatBranch[]
  readonly columns: readonly Pick<AggregateColumn, 'name' | 'type'>[]
  /** The columns with a row's branch, its ordinal in the branch, and its row type. */
  readonly branch: string
  readonly ordinal: string
  readonly rowType: string
}

export interface ConcatBranch {
  readonly from: number
  readonly order: readonly SortTerm[]
  /** In the order of the output columns; null where the branch lacks the column. */
  readonly columns: readonly (Value | null)[]
  /** Added to the row type index of the branch's own rows. */
  readonly firstRowType: number
  readonly rowType: Value | null
}
