// Bound expressions of a plan: conditions, values, and joins to related records. Plain data.
import type { FieldType, TypeKind } from '../../model/resource.ts'
import type { Relation } from '../../model/schema.ts'

/** The parent record of a path: a record of `relation.of`, which may itself be reached through a relation. */
export interface ParentRecord {
  readonly number: number
  readonly relation: Relation
  /** Selects the record. */
  readonly filter: Condition | null
  readonly parent: ParentRecord | null
}

export interface SortTerm {
  readonly value: Value
  readonly descending: boolean
}

/** A single related record (left join): all its fields are null where there is none. */
export interface RecordJoin {
  readonly number: number
  /** The record number of the record that it is related to. */
  readonly from: number
  readonly relation: Relation
  /** Selects the record, where the relation leads to many. */
  readonly key?: Condition
}

/** A collection of related records, with an optional filter. */
export interface RelatedRecords extends RecordJoin {
  readonly joins: readonly RecordJoin[]
  readonly filter: Condition | null
}

/** `eq` and `ne` are never null; `gt ge lt le` with null are false (OData 4.01 part 2, 5.1.1.1). */
export type ComparisonOperator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le'

export type TextTest = 'startswith' | 'endswith' | 'contains'

/** A predicate on a record; a condition that is NULL in SQL counts as false. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'compare'; readonly operator: ComparisonOperator; readonly left: Value; readonly right: Value }
  /** `right` is a list: one literal with any number of members. */
  | { readonly kind: 'in'; readonly left: Value; readonly right: LiteralValue }
  | { readonly kind: 'text'; readonly test: TextTest; readonly left: Value; readonly right: Value }
  /** Full-text search: `terms` match the text, which is computed once. */
  | { readonly kind: 'search'; readonly text: Value; readonly terms: SearchCondition }
  /** A boolean value is true, or is false; null is neither. */
  | { readonly kind: 'is'; readonly value: Value; readonly expected: boolean }
  /** At least one related record matches. */
  | { readonly kind: 'any'; readonly of: RelatedRecords }
  | { readonly kind: 'constant'; readonly is: boolean }

/** Search terms; `not` has one operand. */
export type SearchCondition =
  | { readonly kind: 'term'; readonly term: LiteralValue }
  | { readonly kind: 'and' | 'or' | 'not'; readonly of: readonly SearchCondition[] }

/** Field types, and `seconds`, which only expressions have: a number in millionths. */
export type ValueType = FieldType | 'seconds'

/** The key of lookup tables by type. */
export type ValueKind = TypeKind | 'seconds'

/** A typed value of a record, or null. */
export type Value =
  | FieldValue
  | LiteralValue
  | CallValue
  | CaseValue
  | { readonly kind: 'null' }
  /** Whether the condition is true; never null. */
  | { readonly kind: 'condition'; readonly of: Condition }
  /** The number of related records. */
  | { readonly kind: 'count'; readonly of: RelatedRecords }
  | AggregateValue

export interface FieldValue {
  readonly kind: 'field'
  /** The record number of the set, join or collection that has the field. */
  readonly recordNumber: number
  readonly field: string
  readonly type: ValueType
  /** May be null. */
  readonly isOptional: boolean
  /** The table stores '' for null. */
  readonly blankWhenNull?: true
  /** The record may be missing, so that a field that is blank when null may be NULL as well. */
  readonly isJoined?: true
  /** Of the expression of a column of `$apply`, which databases repeat in place of it. */
  readonly operations?: number
}

/** A literal, as an index into `ReadPlan.values`: the SQL text never depends on its value. */
export interface LiteralValue {
  readonly kind: 'literal'
  readonly index: number
  readonly type: ValueType
}

/** A function call; null where an argument is null, except for `and` and `or`. */
export interface CallValue {
  readonly kind: 'call'
  readonly name: ValueFunction
  readonly args: readonly Value[]
  readonly type: ValueType
}

/** An aggregate over related records; `value` is computed for each of them, and null where they are counted. */
export interface AggregateValue {
  readonly kind: 'aggregate'
  readonly of: RelatedRecords
  readonly method: AggregateMethod
  readonly value: Value | null
  readonly type: ValueType
}

/** The value of the first branch whose condition is true, else null. */
export interface CaseValue {
  readonly kind: 'case'
  readonly branches: readonly { readonly condition: Condition; readonly value: Value }[]
  readonly type: ValueType
}

/**
 * Numbers are integers in the unit of their type, and a result beyond the safe integers is null (ADR 0021).
 * `multiplyDecimals` and `divideDecimals` are product and quotient of ten-thousandths, rounded half away from zero.
 */
export type ValueFunction =
  | ('add' | 'subtract' | 'multiply' | 'multiplyDecimals' | 'modulo')
  | ('divideIntegers' | 'divideDecimals')
  | ('negated' | 'rounded' | 'floor' | 'ceiling')
  | ('textOf' | 'decimalToInteger' | 'dateToTimestamp')
  | ('integerToDecimal' | 'decimalToSeconds' | 'secondsToDecimal')
  | ('and' | 'or' | 'not' | TextTest)
  /** All bits of the second argument are set in the first. */
  | 'hasFlags'
  /** The concatenation of all arguments that are not null, with separators; never null. */
  | 'concatTexts'
  | ('concat' | 'length' | 'indexof' | 'substring' | 'tolower' | 'toupper' | 'trim')
  | ('yearOfDate' | 'monthOfDate' | 'dayOfDate' | 'datePlus' | 'daysBetween')
  | ('dateOfTimestamp' | 'timeOfTimestamp' | 'hourOfTime' | 'minuteOfTime' | 'secondOfTime' | 'fractionOfTime')

/** As the store represents it: decimals as ten-thousandths, timestamps as microseconds, dates as text. */
export type PlanValue = string | number | boolean | readonly (string | number)[]

/** `total` is a sum that is 0 for no rows. */
export type AggregateMethod = 'sum' | 'total' | 'average' | 'min' | 'max' | 'countdistinct' | 'count'
