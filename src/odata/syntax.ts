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

/** `*` is a name here: all fields that are returned without being asked for. */
export type SelectItem = Name
