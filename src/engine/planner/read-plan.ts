// Read plan: company, records, order and fields of a read. Plain data.
import type { CompanyId, Resource } from '../model/resource.ts'
import type { Schema } from '../model/schema.ts'
import type { ApplyPlan } from './apply/apply-plan.ts'
import type { Condition, RecordJoin, SortTerm, PlanValue, ParentRecord, Value } from './expressions/bound-expression.ts'
import type { ValueSource } from './binding.ts'
import type { RecordFormat } from './record-format.ts'

export interface ReadPlan extends SetPlan {
  readonly companyId: CompanyId
  /** How a date is written: `2013-01-01`, or at its midnight, `2013-01-01T00:00:00`. */
  readonly dates: 'date' | 'midnight'
  readonly recordFormat: RecordFormat
  readonly schema: Schema
  /** The parent record of the path; null where the plan reads a whole set. */
  readonly parent: ParentRecord | null
  /**
   * For `$all`: the plans of several sets, whose records are concatenated; the plan itself then has page and format
   * only.
   */
  readonly unionPlans: readonly ReadPlan[]
  /** Values that are read with each JSON record, but are not part of it. */
  readonly extraColumns: readonly Value[]
  /** Fields of the plan's own records that expressions inside `expand` use. */
  readonly outerFields: ReadonlySet<string>
  /** The number of joined relations, at any depth. */
  readonly relationCount: number
  /** The number of them that lead to many records. */
  readonly collectionCount: number
  /** The number of records that the filter finds, where the caller has just counted them. */
  readonly matchCount?: number
  /** The literals of the query, in the order they were bound; `LiteralValue.index` points into them. */
  readonly values: readonly PlanValue[]
  /** Those of them that a literal of `$filter` states, by their index. */
  readonly sources: ReadonlyMap<number, ValueSource>
}

/** Which records of a resource to read, in what order, and which of their fields. */
export interface SetPlan {
  /** The record number of the set: unique in the plan, 0 for the plan itself. */
  readonly number: number
  readonly resource: Resource
  /** The field of the records' ETags; null if they have none, or if the caller may not write them. */
  readonly etagField: string | null
  /** The transformations that run first; the plan then reads their output rows. */
  readonly apply: ApplyPlan | null
  /** The single related records that expressions use. */
  readonly joins: readonly RecordJoin[]
  readonly select: readonly SelectedField[]
  /** The `$compute` aliases to return, after the selected fields. */
  readonly computed: readonly ComputedField[]
  /** The names in `$select`, as declared and `*` included; null without `$select`. */
  readonly selected: readonly string[] | null
  readonly expand: readonly ExpandPlan[]
  readonly filter: Condition | null
  /** Ends with the key, so that the order is total. */
  readonly orderBy: readonly SortTerm[]
  readonly skip: number
  /** Null: all records, streamed. */
  readonly top: number | null
  /** Whether to return the total count, before skip and top. */
  readonly count: boolean
}

/** Related records, nested in each record that they belong to. */
export interface ExpandPlan extends SetPlan, RecordJoin {
  /** The name in the response. */
  readonly as: string
  /** Whether to return the records, their references, or their number. */
  readonly resultKind: 'records' | 'references' | 'count'
}

/** A field to return, and its name in the response. */
export interface SelectedField {
  readonly field: string
  readonly as: string
  /** The names of the complex properties that contain it, from the outermost. */
  readonly within?: readonly string[]
}

/** A computed value to return, and its name in the response. */
export interface ComputedField {
  readonly value: Value
  readonly as: string
  /** The names of the objects that contain it, from the outermost. */
  readonly within?: readonly string[]
}
