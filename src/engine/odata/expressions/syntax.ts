// What a query says, before anybody asks whether it makes sense: plain data, each node with its column.
import type { Operator } from './operators.ts'

/** Columns count characters from 1 and point at what a refusal would be about. */
export type Expression =
  | Literal
  | Name
  | Path
  | Lambda
  | Count
  | AggregatedMany
  | List
  | Items
  | Members
  | Call
  | Choice
  | Operation

export type LiteralType =
  | ('null' | 'boolean' | 'text' | 'number' | 'guid')
  | ('date' | 'dateTime' | 'timeOfDay' | 'duration')
  | ('binary' | 'enum')

/**
 * `value` is as it was written, but for what stands in quotes: there it is what is inside, with `''` as one quote.
 */
export interface Literal {
  readonly kind: 'literal'
  readonly type: LiteralType
  readonly value: string
  readonly column: number
  /** The qualified name of the enumeration, for `enum`. */
  readonly of?: string
}

/** A property, a variable of a lambda, `$it`, `$this`, `$root` or an alias for a record, as it was written. */
export interface Name {
  readonly kind: 'name'
  readonly name: string
  readonly column: number
  /** Which of the records is meant, where the name leads to many: `Orders(7)/Amount`. */
  readonly keys?: readonly KeyValue[]
}

/** The name is null where a key has one part and it was not named. */
export interface KeyValue {
  readonly name: string | null
  readonly value: Literal
  readonly column: number
}

/** Two or more names with slashes between them. */
export interface Path {
  readonly kind: 'path'
  readonly names: readonly Name[]
  readonly column: number
}

/** `Sales/any(s:s/Amount gt 1)`. Only `any` goes without variable and condition. */
export interface Lambda {
  readonly kind: 'lambda'
  readonly quantifier: 'any' | 'all'
  readonly of: readonly Name[]
  readonly variable: Name | null
  readonly condition: Expression | null
  readonly column: number
}

/** `Sales/$count($filter=Amount gt 1;$search=x)`. */
export interface Count {
  readonly kind: 'count'
  readonly of: readonly Name[]
  readonly filter: Expression | null
  readonly search: Search | null
  readonly column: number
}

/** `Sales/aggregate(Amount with sum)`: what many come to together (Data Aggregation 4.0, 3.2.1). */
export interface AggregatedMany {
  readonly kind: 'aggregated'
  readonly of: readonly Name[]
  readonly item: Aggregated
  readonly column: number
}

/** `[1,"two",Three]`. */
export interface Items {
  readonly kind: 'items'
  readonly items: readonly Expression[]
  readonly column: number
}

/** `{"Street":"Storgata","No":1}`; a name may come twice, as in JSON. */
export interface Members {
  readonly kind: 'members'
  readonly members: readonly Member[]
  readonly column: number
}

export interface Member {
  readonly name: string
  readonly value: Expression
  readonly column: number
}

/** `case(a gt 0:1,true:0)`: the value of the first branch whose condition is true. */
export interface Choice {
  readonly kind: 'choice'
  readonly branches: readonly Branch[]
  readonly column: number
}

export interface Branch {
  readonly condition: Expression
  readonly value: Expression
}

/** The literals after `in`. */
export interface List {
  readonly kind: 'list'
  readonly items: readonly Expression[]
  readonly column: number
}

/** A function by its lower-case name, with as many arguments as it takes. */
export interface Call {
  readonly kind: 'call'
  readonly name: string
  readonly args: readonly Expression[]
  readonly column: number
}

/** `and` and `or` have two or more operands, prefix operators one, all others two; the column is the operator's. */
export interface Operation {
  readonly kind: 'operation'
  readonly operator: Operator
  readonly operands: readonly Expression[]
  readonly column: number
}

export interface OrderItem {
  readonly expression: Expression
  readonly descending: boolean
}

/** `$compute`: a value under a name of its own. */
export interface ComputeItem {
  readonly expression: Expression
  readonly as: Name
}

/**
 * What is selected: one name, or the way to it through complex properties. `*`, only as the last name, is all
 * fields that are returned without being asked for.
 */
export interface SelectItem {
  readonly path: readonly Name[]
  readonly options: NestedOptions
}

/** What is expanded: one relation, or the way to it through complex properties; `*` as the last name is all. */
export interface ExpandItem {
  readonly path: readonly Name[]
  /** What of the related records is wanted: themselves, their references, or how many there are. */
  readonly wants: 'records' | 'references' | 'count'
  readonly options: NestedOptions
}

/** The options in the brackets of a selected or expanded name: those that were given, each read. */
export interface NestedOptions {
  readonly select?: readonly SelectItem[]
  readonly expand?: readonly ExpandItem[]
  readonly filter?: Expression
  readonly orderBy?: readonly OrderItem[]
  readonly top?: number
  readonly skip?: number
  readonly count?: boolean
  readonly search?: Search
  readonly levels?: number | 'max'
  readonly compute?: readonly ComputeItem[]
  readonly apply?: readonly Transformation[]
  /** Parameter aliases that are given inside the brackets, by their name with `@`. */
  readonly aliases?: ReadonlyMap<string, Expression>
}

/** `$search`: terms joined by `and`, `or` and `not`. */
export type Search = SearchTerm | SearchOperation

/** A word, or a phrase that stood in quotes. */
export interface SearchTerm {
  readonly kind: 'term'
  readonly text: string
  readonly column: number
}

/** `and` and `or` have two or more operands, `not` has one. */
export interface SearchOperation {
  readonly kind: 'and' | 'or' | 'not'
  readonly operands: readonly Search[]
  readonly column: number
}

/** A step of `$apply`: what came out of the one before goes into the next. Columns are those of their names. */
export type Transformation = { readonly column: number } & (
  | { readonly kind: 'identity' }
  | { readonly kind: 'aggregate'; readonly items: readonly AggregateItem[] }
  | {
      readonly kind: 'groupby'
      readonly by: readonly Grouping[]
      /** What happens to each group; nothing where only the groups are asked for. */
      readonly apply: readonly Transformation[]
    }
  | { readonly kind: 'filter'; readonly condition: Expression }
  | { readonly kind: 'search'; readonly search: Search }
  | { readonly kind: 'compute'; readonly items: readonly ComputeItem[] }
  | { readonly kind: 'orderby'; readonly items: readonly OrderItem[] }
  | { readonly kind: 'top' | 'skip'; readonly count: number }
  | {
      readonly kind: Ranking
      /** How many records, what part of the sum, or how many per cent of it. */
      readonly amount: Expression
      readonly by: Expression
    }
  | { readonly kind: 'concat'; readonly of: readonly (readonly Transformation[])[] }
  | {
      readonly kind: 'join' | 'outerjoin'
      /** The way to what is joined, and the name that it gets. */
      readonly of: readonly Name[]
      readonly as: Name
      /** What is made of those that belong to one row. */
      readonly apply: readonly Transformation[]
    }
)

export type Ranking =
  | ('topcount' | 'topsum' | 'toppercent')
  | ('bottomcount' | 'bottomsum' | 'bottompercent')

/**
 * `Amount with sum from Time with average`. Without `with` it is the name of a custom aggregate, or
 * `$count`, for which `expression` is null or counts what is related.
 */
export interface Aggregated {
  readonly expression: Expression | null
  readonly method: Name | null
  readonly from: readonly AggregateFrom[]
  readonly column: number
}

export interface AggregateItem extends Aggregated {
  readonly as: Name | null
}

/** What is aggregated first by these, and then by the method over them. */
export interface AggregateFrom {
  readonly by: readonly (readonly Name[])[]
  readonly method: Name | null
}

/** One way to a property, or several from the coarsest to the finest, each of which makes totals of its own. */
export type Grouping =
  | { readonly kind: 'path'; readonly names: readonly Name[] }
  | {
      readonly kind: 'rollup'
      readonly paths: readonly (readonly Name[])[]
      readonly column: number
    }
