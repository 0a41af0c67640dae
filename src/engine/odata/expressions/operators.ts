// Operator table: precedence, position and arity of each operator of the standard.

export interface OperatorRow {
  readonly operator: Operator
  readonly place: 'infix' | 'prefix'
  /** OData 4.01 part 2, 5.1.1.17; a higher one binds tighter. */
  readonly binding: number
  /** `a or b or c` is one operation with three operands, also when written with brackets. */
  readonly chains?: true
  /** Brackets on its right hold a list of literals. */
  readonly takesList?: true
}

export type Operator =
  | ('or' | 'and')
  | ('eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le')
  | ('add' | 'sub' | 'mul' | 'div' | 'divby' | 'mod')
  | ('not' | '-')
  | ('has' | 'in')

const rows: readonly OperatorRow[] = [
  { operator: 'or', place: 'infix', binding: 1, chains: true },
  { operator: 'and', place: 'infix', binding: 2, chains: true },
  { operator: 'eq', place: 'infix', binding: 3 },
  { operator: 'ne', place: 'infix', binding: 3 },
  { operator: 'gt', place: 'infix', binding: 4 },
  { operator: 'ge', place: 'infix', binding: 4 },
  { operator: 'lt', place: 'infix', binding: 4 },
  { operator: 'le', place: 'infix', binding: 4 },
  { operator: 'add', place: 'infix', binding: 5 },
  { operator: 'sub', place: 'infix', binding: 5 },
  { operator: 'mul', place: 'infix', binding: 6 },
  { operator: 'div', place: 'infix', binding: 6 },
  { operator: 'divby', place: 'infix', binding: 6 },
  { operator: 'mod', place: 'infix', binding: 6 },
  { operator: 'not', place: 'prefix', binding: 7 },
  { operator: '-', place: 'prefix', binding: 7 },
  { operator: 'has', place: 'infix', binding: 8 },
  { operator: 'in', place: 'infix', binding: 8, takesList: true },
]

/** Maps, because `constructor` is not an operator. */
function at(place: OperatorRow['place']): ReadonlyMap<string, OperatorRow> {
  return new Map(rows.filter((row) => row.place === place).map((row) => [row.operator, row]))
}

export const infixOperators = at('infix')
export const prefixOperators = at('prefix')
