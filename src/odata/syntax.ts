// What a query says, before anybody asks whether it makes sense: plain data, each node with its column.
import type { Operator } from '#odata/operators.ts'

/** Columns count characters from 1 and point at what a refusal would be about. */
export type Expression = Literal | Name | List | Call | Operation

export type LiteralType = 'null' | 'boolean' | 'text' | 'number' | 'date' | 'dateTime'

/** `value` is as it was written, but for text, which stands without quotes and with `''` as one quote. */
export interface Literal {
  readonly kind: 'literal'
  readonly type: LiteralType
  readonly value: string
  readonly column: number
}

/** The name of a property, as it was written. */
export interface Name {
  readonly kind: 'name'
  readonly name: string
  readonly column: number
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
