// A read, decided: which company's records, which of them, in what order, and which fields. Plain data.
import type { CompanyId, Resource } from '../model/resource.ts'
import type { Schema } from '../model/schema.ts'
import type { ApplyPlan } from './apply/apply-plan.ts'
import type { Condition, Join, Order, PlanValue, Start, Value } from './expressions/expression.ts'
import type { RecordForm } from './select/record-form.ts'

export interface ReadPlan extends SetPlan {
  readonly companyId: CompanyId
  /** How a date is printed: `2013-01-01`, or at its midnight, `2013-01-01T00:00:00`. */
  readonly dates: 'date' | 'midnight'
  readonly form: RecordForm
  readonly schema: Schema
  /** The record whose relation leads to the records; null where all of a set is meant. */
  readonly start: Start | null
  /** The plans of several sets, whose records follow each other; then the plan itself has page and form alone. */
  readonly parts: readonly ReadPlan[]
  /** What stands beside each record that comes as JSON. */
  readonly beside: readonly Value[]
  /** Fields that expressions inside of `expand` need of the records of the plan itself. */
  readonly lent: ReadonlySet<string>
  /** How many relations it follows, wherever they stand. */
  readonly relations: number
  /** Those of them that lead to many records. */
  readonly collections: number
  /** What literals point into: the literals of the query, in the order they were met. */
  readonly values: readonly PlanValue[]
}

/** Which records of a resource, in what order, and what of them. */
export interface SetPlan {
  /** What the fields of these records are said to be `of`: distinct within the plan, 0 for the plan itself. */
  readonly number: number
  readonly resource: Resource
  /** What is made of the records first; then the plan is about the rows that come out. */
  readonly apply: ApplyPlan | null
  /** The single records that expressions reach from these. */
  readonly joins: readonly Join[]
  readonly select: readonly Selected[]
  /** What `$compute` brings into the answer, after what is selected. */
  readonly computed: readonly Computed[]
  /** What `$select` names, in declared spelling and `*` included; null without one. */
  readonly selected: readonly string[] | null
  readonly expand: readonly ExpandPlan[]
  readonly filter: Condition | null
  /** Ends with the key, so that the order is total. */
  readonly orderBy: readonly Order[]
  readonly skip: number
  /** Null: all of them, streamed. */
  readonly top: number | null
  /** Whether the total, without skip and top, is asked for. */
  readonly count: boolean
}

/** Related records, inside each record that they belong to. */
export interface ExpandPlan extends SetPlan, Join {
  /** The name that the caller gets. */
  readonly as: string
  /** The records, what refers to them, or only how many there are. */
  readonly wants: 'records' | 'references' | 'count'
}

/** A field to return, under the name the caller gets. */
export interface Selected {
  readonly field: string
  readonly as: string
  /** The names of the values with parts that it stands inside of, from the outermost. */
  readonly within?: readonly string[]
}

/** A value to return, under a name of its own. */
export interface Computed {
  readonly value: Value
  readonly as: string
  /** The names of the objects that it stands inside of, from the outermost. */
  readonly within?: readonly string[]
}
