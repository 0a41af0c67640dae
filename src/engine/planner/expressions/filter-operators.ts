// Filter operators: how a condition binds each operator and string function.
import type { Operator } from '../../odata/expressions/operators.ts'
import type { Expression } from '../../odata/expressions/syntax.ts'
import type { ComparisonOperator, TextTest } from './bound-expression.ts'

/** How a filter binds each operator; comparison operators map to themselves, and a `chain` has any number of operands. */
export const operatorBindings: Record<Operator, ComparisonOperator | 'chain' | 'not' | 'in' | 'value'> = {
  or: 'chain',
  and: 'chain',
  not: 'not',
  in: 'in',
  eq: 'eq',
  ne: 'ne',
  gt: 'gt',
  ge: 'ge',
  lt: 'lt',
  le: 'le',
  add: 'value',
  sub: 'value',
  mul: 'value',
  div: 'value',
  divby: 'value',
  mod: 'value',
  '-': 'value',
  has: 'value',
}

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
  if (node.kind === 'operation') return operatorBindings[node.operator] !== 'value'
  return node.kind === 'lambda' || (node.kind === 'call' && textTests.has(node.name))
}

/** The operator table guarantees the number of operands. */
export function operandAt(operands: readonly Expression[], index: number): Expression {
  const operand = operands[index]
  if (operand === undefined) throw new Error(`an operator has no operand ${index}`)
  return operand
}
