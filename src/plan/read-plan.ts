// A read, decided: which company's records, which of them, in what order, and which fields. Plain data.
import type { CompanyId, FieldType, Resource } from '#model/resource.ts'
import type { Relation, Schema } from '#model/schema.ts'
import type { RecordForm } from '#plan/record-form.ts'

export interface ReadPlan extends SetPlan {
  readonly companyId: CompanyId
  /** How a date is printed: `2013-01-01`, or at its midnight, `2013-01-01T00:00:00`. */
  readonly dates: 'date' | 'midnight'
  readonly form: RecordForm
  readonly schema: Schema
  /** The record whose relation leads to the records; null where all of a set is meant. */
  readonly start: Start | null
  /** Fields whose values stand beside each record that comes as JSON. */
  readonly beside: readonly string[]
  /** What `Value` operands point into: the literals of the query, in the order they were met. */
  readonly values: readonly PlanValue[]
}

/** A record of `relation.of`, which may be reached by a relation itself. */
export interface Start {
  readonly relation: Relation
  /** Which record it is. */
  readonly filter: Condition | null
  readonly start: Start | null
}

/** Which records of a resource, in what order, and what of them. */
export interface SetPlan {
  readonly resource: Resource
  readonly select: readonly Selected[]
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
export interface ExpandPlan extends SetPlan {
  readonly relation: Relation
  /** The name that the caller gets. */
  readonly as: string
  /** Distinct within the plan, from 1 in the order of the text. */
  readonly number: number
  /** The records, or only how many there are. */
  readonly wants: 'records' | 'count'
}

/** A field to return, under the name the caller gets. */
export interface Selected {
  readonly field: string
  readonly as: string
}

export interface Order {
  readonly field: string
  readonly descending: boolean
}

/** `eq` and `ne` are never null; `gt ge lt le` against null are false (OData 4.01 part 2, 5.1.1.1). */
export type Comparison = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le'

export type TextTest = 'startswith' | 'endswith' | 'contains'

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | {
      readonly kind: 'compare'
      readonly operator: Comparison
      readonly left: Operand
      readonly right: Operand
    }
  /** `value` is a list: one literal, however many members. */
  | { readonly kind: 'in'; readonly left: Operand; readonly right: ValueOperand }
  | {
      readonly kind: 'text'
      readonly test: TextTest
      readonly left: Operand
      readonly right: Operand
    }
  | { readonly kind: 'constant'; readonly is: boolean }

export type Operand = FieldOperand | ValueOperand | { readonly kind: 'null' }

export interface FieldOperand {
  readonly kind: 'field'
  readonly field: string
  readonly type: FieldType
}

/** A literal, by its index in `ReadPlan.values`: statement text never depends on it. */
export interface ValueOperand {
  readonly kind: 'value'
  readonly index: number
  readonly type: FieldType
}

/** As the store holds it: decimals as ten-thousandths, stamps as microseconds, dates as text. */
export type PlanValue = string | number | boolean | readonly (string | number)[]
