// Operator table: precedence, position and arity of each operator of the standard.

export interface OperatorInfo {
  readonly operator: Operator
  readonly position: 'infix' | 'prefix'
  /** OData 4.01 part 2, 5.1.1.17; a higher one binds tighter. */
  readonly precedence: number
  /** `a or b or c` is one operation with three operands, also when written with brackets. */
  readonly isNary?: true
  /** Brackets on its right hold a list of literals. */
  readonly isListOperator?: true
}

export type Operator =
  | ('or' | 'and')
  | ('eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le')
  | ('add' | 'sub' | 'mul' | 'div' | 'divby' | 'mod')
  | ('not' | '-')
  | ('has' | 'in')

const rows: readonly OperatorInfo[] = [
  { operator: 'or', position: 'infix', precedence: 1, isNary: true },
  { operator: 'and', position: 'infix', precedence: 2, isNary: true },
  { operator: 'eq', position: 'infix', precedence: 3 },
  { operator: 'ne', position: 'infix', precedence: 3 },
  { operator: 'gt', position: 'infix', precedence: 4 },
  { operator: 'ge', position: 'infix', precedence: 4 },
  { operator: 'lt', position: 'infix', precedence: 4 },
  { operator: 'le', position: 'infix', precedence: 4 },
  { operator: 'add', position: 'infix', precedence: 5 },
  { operator: 'sub', position: 'infix', precedence: 5 },
  { operator: 'mul', position: 'infix', precedence: 6 },
  { operator: 'div', position: 'infix', precedence: 6 },
  { operator: 'divby', position: 'infix', precedence: 6 },
  { operator: 'mod', position: 'infix', precedence: 6 },
  { operator: 'not', position: 'prefix', precedence: 7 },
  { operator: '-', position: 'prefix', precedence: 7 },
  { operator: 'has', position: 'infix', precedence: 8 },
  { operator: 'in', position: 'infix', precedence: 8, isListOperator: true },
]

/** Maps, because `constructor` is not an operator. */
function operatorsAt(position: OperatorInfo['position']): ReadonlyMap<string, OperatorInfo> {
  return new Map(rows.filter((row) => row.position === position).map((row) => [row.operator, row]))
}

export const infixOperators = operatorsAt('infix')
export const prefixOperators = operatorsAt('prefix')
