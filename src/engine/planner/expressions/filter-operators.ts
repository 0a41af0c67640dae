// Filter operators: the operators and string functions whose results are conditions.
import type { Operator } from '../../odata/expressions/operators.ts'
import type { Expression } from '../../odata/expressions/syntax.ts'
import type { ComparisonOperator, TextTest } from './bound-expression.ts'

export interface TextTestInfo {
  readonly test: TextTest
  /** The substring is the first argument. */
  readonly isReversed?: true
}

export const textTests: ReadonlyMap<string, TextTestInfo> = new Map([
  ['startswith', { test: 'startswith' }],
  ['endswith', { test: 'endswith' }],
  ['contains', { test: 'contains' }],
  ['substringof', { test: 'contains', isReversed: true }],
])

/** Whether the expression is a condition by its operator or function, not a boolean value. */
export function isCondition(node: Expression): boolean {
  if (node.kind === 'operation') return operatorResults[node.operator] !== 'value'
  return node.kind === 'lambda' || (node.kind === 'call' && textTests.has(node.name))
}

export function isComparison(operator: Operator): operator is ComparisonOperator {
  return operatorResults[operator] === 'comparison'
}

/** What each operator results in, so that a new one does not compile without it. */
const operatorResults: Readonly<Record<Operator, 'condition' | 'comparison' | 'value'>> = {
  or: 'condition',
  and: 'condition',
  not: 'condition',
  in: 'condition',
  eq: 'comparison',
  ne: 'comparison',
  gt: 'comparison',
  ge: 'comparison',
  lt: 'comparison',
  le: 'comparison',
  add: 'value',
  sub: 'value',
  mul: 'value',
  div: 'value',
  divby: 'value',
  mod: 'value',
  '-': 'value',
  has: 'value',
}

/** The operator table guarantees the number of operands. */
export function operandAt(operands: readonly Expression[], index: number): Expression {
  const operand = operands[index]
  if (operand === undefined) throw new Error(`an operator has no operand ${index}`)
  return operand
}
