// A read, decided: which company's records, which of them, in what order, and which fields. Plain data.
import type { CompanyId, FieldType, Resource, TypeKind } from '#model/resource.ts'
import type { Relation, Schema } from '#model/schema.ts'
import type { AggregateMethod, ApplyPlan } from '#plan/apply-plan.ts'
import type { RecordForm } from '#plan/record-form.ts'

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

/** A record of `relation.of`, which may be reached by a relation itself. */
export interface Start {
  /** What its fields are said to be `of`. */
  readonly number: number
  readonly relation: Relation
  /** Which record it is. */
  readonly filter: Condition | null
  readonly start: Start | null
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

export const kindOfValue = (type: ValueType): ValueKind =>
  typeof type === 'string' ? type : 'enum'

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
