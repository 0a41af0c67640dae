// Syntax tree (AST) of the query options: plain data, every node with its column.
import type { Operator } from './operators.ts'

/** Columns count characters from 1 and are the position that an error about the node reports. */
export type Expression =
  | LiteralNode
  | NameNode
  | PathNode
  | LambdaNode
  | CountNode
  | AggregateNode
  | ListNode
  | ArrayNode
  | ObjectNode
  | CallNode
  | CaseNode
  | OperationNode

export type LiteralType =
  | ('null' | 'boolean' | 'text' | 'number' | 'guid')
  | ('date' | 'dateTime' | 'timeOfDay' | 'duration')
  | ('binary' | 'enum')

/** `value` is the text as written; for quoted literals the text inside the quotes, with `''` as one quote. */
export interface LiteralNode {
  readonly kind: 'literal'
  readonly type: LiteralType
  readonly value: string
  readonly column: number
  /** The qualified name of the enumeration, for `enum`. */
  readonly enumeration?: string
}

export function isLiteral(node: Expression): node is LiteralNode {
  return node.kind === 'literal'
}

/** A property, a lambda variable, `$it`, `$this`, `$root` or an alias of a record, as written. */
export interface NameNode {
  readonly kind: 'name'
  readonly name: string
  readonly column: number
  /** Selects one record of a collection: `Orders(7)/Amount`. */
  readonly keys?: readonly KeyPredicateValue[]
}

/** The name is null where a key of one part is given without its name. */
export interface KeyPredicateValue {
  readonly name: string | null
  readonly value: LiteralNode
}

/** Two or more names with slashes between them. */
export interface PathNode {
  readonly kind: 'path'
  readonly names: readonly NameNode[]
  readonly column: number
}

/** `Sales/any(s:s/Amount gt 1)`. Only `any` may omit variable and condition. */
export interface LambdaNode {
  readonly kind: 'lambda'
  readonly quantifier: 'any' | 'all'
  readonly path: readonly NameNode[]
  readonly variable: NameNode | null
  readonly condition: Expression | null
  readonly column: number
}

/** `Sales/$count($filter=Amount gt 1;$search=x)`. */
export interface CountNode {
  readonly kind: 'count'
  readonly path: readonly NameNode[]
  readonly filter: Expression | null
  readonly search: SearchExpression | null
  readonly column: number
}

/** `Sales/aggregate(Amount with sum)`: an aggregate over a collection (Data Aggregation 4.0, 3.2.1). */
export interface AggregateNode {
  readonly kind: 'aggregate'
  readonly path: readonly NameNode[]
  readonly item: AggregateExpression
  readonly column: number
}

/** `[1,"two",Three]`. */
export interface ArrayNode {
  readonly kind: 'array'
  readonly items: readonly Expression[]
  readonly column: number
}

/** `{"Street":"Storgata","No":1}`; a name may occur twice, as in JSON. */
export interface ObjectNode {
  readonly kind: 'object'
  readonly members: readonly ObjectMember[]
  readonly column: number
}

export interface ObjectMember {
  readonly name: string
  readonly value: Expression
  readonly column: number
}

/** `case(a gt 0:1,true:0)`: the value of the first branch whose condition is true. */
export interface CaseNode {
  readonly kind: 'case'
  readonly branches: readonly CaseBranch[]
  readonly column: number
}

export interface CaseBranch {
  readonly condition: Expression
  readonly value: Expression
}

/** The literals after `in`. */
export interface ListNode {
  readonly kind: 'list'
  readonly items: readonly Expression[]
  readonly column: number
}

/** A function call: its lower-case name, and as many arguments as the function takes. */
export interface CallNode {
  readonly kind: 'call'
  readonly name: string
  readonly args: readonly Expression[]
  readonly column: number
}

/** `and` and `or` have two or more operands, prefix operators one, all others two; the column is the operator's. */
export interface OperationNode {
  readonly kind: 'operation'
  readonly operator: Operator
  readonly operands: readonly Expression[]
  readonly column: number
}

export interface OrderItem {
  readonly expression: Expression
  readonly descending: boolean
}

/** `$compute`: an expression and its alias. */
export interface ComputeItem {
  readonly expression: Expression
  readonly as: NameNode
}

/**
 * A selected property: one name, or a path through complex properties. `*`, only as the last name, stands for all
 * fields that are returned by default.
 */
export interface SelectItem {
  readonly path: readonly NameNode[]
  readonly options: NestedOptions
}

/** An expanded relation: one name, or a path through complex properties; `*` as the last name expands all. */
export interface ExpandItem {
  readonly path: readonly NameNode[]
  /** Whether to return the related records, their references (`/$ref`) or their number (`/$count`). */
  readonly resultKind: 'records' | 'references' | 'count'
  readonly options: NestedOptions
}

/** The options in the brackets of a selected or expanded name, parsed; only those that were given. */
export interface NestedOptions {
  readonly select?: readonly SelectItem[]
  readonly expand?: readonly ExpandItem[]
  readonly filter?: Expression
  readonly orderBy?: readonly OrderItem[]
  readonly top?: number
  readonly skip?: number
  readonly count?: boolean
  readonly search?: SearchExpression
  readonly levels?: number | 'max'
  readonly compute?: readonly ComputeItem[]
  readonly apply?: readonly Transformation[]
  /** Parameter aliases that are defined inside the brackets, by their name with `@`. */
  readonly aliases?: ReadonlyMap<string, Expression>
}

/** `$search`: terms joined by `and`, `or` and `not`. */
export type SearchExpression = SearchTerm | SearchOperation

/** A word, or a quoted phrase. */
export interface SearchTerm {
  readonly kind: 'term'
  readonly text: string
  readonly column: number
}

/** `and` and `or` have two or more operands, `not` has one. */
export interface SearchOperation {
  readonly kind: 'and' | 'or' | 'not'
  readonly operands: readonly SearchExpression[]
  readonly column: number
}

/** A transformation of `$apply`; the output of one is the input of the next. `column` is that of its name. */
export type Transformation = { readonly column: number } & (
  | { readonly kind: 'identity' }
  | { readonly kind: 'aggregate'; readonly items: readonly AggregateItem[] }
  | {
      readonly kind: 'groupby'
      readonly by: readonly GroupingNode[]
      /** The transformations of each group; empty where only the distinct groups are requested. */
      readonly apply: readonly Transformation[]
    }
  | { readonly kind: 'filter'; readonly condition: Expression }
  | { readonly kind: 'search'; readonly search: SearchExpression }
  | { readonly kind: 'compute'; readonly items: readonly ComputeItem[] }
  | { readonly kind: 'orderby'; readonly items: readonly OrderItem[] }
  | { readonly kind: 'top' | 'skip'; readonly count: number }
  | {
      readonly kind: RankingKind
      /** The number of records, or the sum or percentage to reach. */
      readonly amount: Expression
      readonly by: Expression
    }
  | { readonly kind: 'concat'; readonly sequences: readonly (readonly Transformation[])[] }
  | {
      readonly kind: 'join' | 'outerjoin'
      /** The path of the joined relation, and the alias of its records. */
      readonly path: readonly NameNode[]
      readonly as: NameNode
      /** The transformations of the records that are joined to one row. */
      readonly apply: readonly Transformation[]
    }
)

/** The transformations of one kind, or of several. */
export type TransformationOf<Kind extends Transformation['kind']> = Transformation & { readonly kind: Kind }

export type RankingKind = ('topcount' | 'topsum' | 'toppercent') | ('bottomcount' | 'bottomsum' | 'bottompercent')

/**
 * `Amount with sum from Time with average`. Without `with` it is a custom aggregate, or `$count`; for `$count`,
 * `expression` is null or counts related records.
 */
export interface AggregateExpression {
  readonly expression: Expression | null
  readonly method: NameNode | null
  readonly from: readonly AggregateFrom[]
  readonly column: number
}

export interface AggregateItem extends AggregateExpression {
  readonly as: NameNode | null
}

/** `from`: aggregates by these paths first, and then aggregates those results with the method. */
export interface AggregateFrom {
  readonly by: readonly (readonly NameNode[])[]
  readonly method: NameNode | null
}

/** A property path, or a rollup of several, from the coarsest to the finest level. */
export type GroupingNode =
  | { readonly kind: 'path'; readonly names: readonly NameNode[] }
  | { readonly kind: 'rollup'; readonly paths: readonly (readonly NameNode[])[]; readonly column: number }
