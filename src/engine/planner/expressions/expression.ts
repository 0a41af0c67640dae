// Expressions of a plan: conditions and values over the fields of records, and the joins that reach them. Plain data.
import type { FieldType, TypeKind } from '../../model/resource.ts'
import type { Relation } from '../../model/schema.ts'

/** A record of `relation.of`, which may be reached by a relation itself. */
export interface Start {
  /** What its fields are said to be `of`. */
  readonly number: number
  readonly relation: Relation
  /** Which record it is. */
  readonly filter: Condition | null
  readonly start: Start | null
}

export interface Order {
  readonly value: Value
  readonly descending: boolean
}

/** One record that another leads to: all its fields are null where there is none. */
export interface Join {
  readonly number: number
  /** The number of the record that leads to it. */
  readonly from: number
  readonly relation: Relation
  /** Which one, where the relation leads to many. */
  readonly key?: Condition
}

/** The records that one leads to, those of them that pass. */
export interface Related extends Join {
  readonly joins: readonly Join[]
  readonly filter: Condition | null
}

/** `eq` and `ne` are never null; `gt ge lt le` against null are false (OData 4.01 part 2, 5.1.1.1). */
export type Comparison = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le'

export type TextTest = 'startswith' | 'endswith' | 'contains'

/** What is true of a record, or not; a condition that SQL finds null does not hold. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | {
      readonly kind: 'compare'
      readonly operator: Comparison
      readonly left: Value
      readonly right: Value
    }
  /** `right` is a list: one literal, however many members. */
  | { readonly kind: 'in'; readonly left: Value; readonly right: LiteralValue }
  | {
      readonly kind: 'text'
      readonly test: TextTest
      readonly left: Value
      readonly right: Value
    }
  /** What is sought stands in the text, which is worked out once. */
  | { readonly kind: 'found'; readonly text: Value; readonly sought: Sought }
  /** A boolean value is true, or is false; null is neither. */
  | { readonly kind: 'is'; readonly value: Value; readonly truth: boolean }
  /** At least one related record passes. */
  | { readonly kind: 'any'; readonly of: Related }
  | { readonly kind: 'constant'; readonly is: boolean }

/** Terms as they are looked for; `not` has one operand. */
export type Sought =
  | { readonly kind: 'term'; readonly term: LiteralValue }
  | { readonly kind: 'and' | 'or' | 'not'; readonly of: readonly Sought[] }

/** Types of fields, and one that only expressions have: `seconds` is a number of millionths. */
export type ValueType = FieldType | 'seconds'

/** What tables of types are looked up by. */
export type ValueKind = TypeKind | 'seconds'

export function kindOfValue(type: ValueType): ValueKind {
  return typeof type === 'string' ? type : 'enum'
}

/** What an expression comes to for a record: a value of its type, or null. */
export type Value =
  | FieldValue
  | LiteralValue
  | CallValue
  | ChoiceValue
  | { readonly kind: 'null' }
  /** Whether the condition holds; never null. */
  | { readonly kind: 'truth'; readonly of: Condition }
  /** How many related records there are. */
  | { readonly kind: 'count'; readonly of: Related }
  | AggregateValue

export interface FieldValue {
  readonly kind: 'field'
  /** Whose: the number of a set, a join or of related records. */
  readonly of: number
  readonly field: string
  readonly type: ValueType
  /** May be null. */
  readonly isOptional: boolean
  /** How the table holds null, where not as NULL: a blank, or a blank in a record that may itself be missing. */
  readonly blank?: 'own' | 'joined'
}

/** A literal, by its index in `ReadPlan.values`: statement text never depends on it. */
export interface LiteralValue {
  readonly kind: 'literal'
  readonly index: number
  readonly type: ValueType
}

/** A function of values; null where one of its arguments is, but for `and` and `or`. */
export interface CallValue {
  readonly kind: 'call'
  readonly name: ValueFunction
  readonly args: readonly Value[]
  readonly type: ValueType
}

/** What related records come to together; `value` is of each of them, and null where they are counted. */
export interface AggregateValue {
  readonly kind: 'aggregate'
  readonly of: Related
  readonly method: AggregateMethod
  readonly value: Value | null
  readonly type: ValueType
}

/** The value of the first branch whose condition holds, else null. */
export interface ChoiceValue {
  readonly kind: 'choice'
  readonly branches: readonly {
    readonly condition: Condition
    readonly value: Value
  }[]
  readonly type: ValueType
}

/**
 * Numbers are whole numbers of the unit of their type, and a result beyond the safe integers is null (ADR 0020).
 * `scaledProduct` and `ratio` are the product and the quotient of ten-thousandths, rounded half away from zero.
 */
export type ValueFunction =
  | ('sum' | 'difference' | 'product' | 'scaledProduct' | 'quotient' | 'ratio' | 'remainder')
  | ('negated' | 'rounded' | 'floor' | 'ceiling')
  | ('textOf' | 'decimalToWhole' | 'dateToStamp')
  | ('wholeToDecimal' | 'decimalToSeconds' | 'secondsToDecimal')
  | ('and' | 'or' | 'not' | TextTest)
  /** Each bit of the second is one of the first. */
  | 'hasFlags'
  /** All texts that are not null, apart; never null. */
  | 'texts'
  | ('concat' | 'length' | 'indexof' | 'substring' | 'tolower' | 'toupper' | 'trim')
  | ('yearOfDate' | 'monthOfDate' | 'dayOfDate' | 'datePlus' | 'daysBetween')
  | (
      | 'dateOfStamp'
      | 'timeOfStamp'
      | 'hourOfTime'
      | 'minuteOfTime'
      | 'secondOfTime'
      | 'fractionOfTime'
    )

/** As the store holds it: decimals as ten-thousandths, stamps as microseconds, dates as text. */
export type PlanValue = string | number | boolean | readonly (string | number)[]

/** `total` is a sum that is 0 where there is nothing to add. */
export type AggregateMethod =
  | 'sum'
  | 'total'
  | 'average'
  | 'min'
  | 'max'
  | 'countdistinct'
  | 'count'
