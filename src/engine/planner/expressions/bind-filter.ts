// Filter binding: turns an expression into a condition that is either true or false, never null.
import type { CallNode, Expression, OperationNode } from '../../odata/expressions/syntax.ts'
import { bindLambda } from './bind-collection.ts'
import { bindComparison, bindIn, resolveNode } from './bind-comparison.ts'
import { bindBooleanValue, bindValue } from './bind-value.ts'
import { addLiteral, type Binding } from '../binding.ts'
import { compare, constant, notNullCondition, negateUnless } from './conditions.ts'
import { isComparison, operandAt, textTests, type TextTestInfo } from './filter-operators.ts'
import {
  invalidExpressionError,
  noComputedValues,
  noTheseAggregates,
  noVariables,
  type NameScope,
  type RecordRef,
} from './scope.ts'
import type { Condition, Value } from './bound-expression.ts'
import { callValue, typeOf } from './typed-value.ts'

/**
 * Null is unknown to `and`, `or`, `not` and the string functions, and a record is returned only where the filter is
 * true (OData 4.01 part 2, 5.1.1.1). So each node is bound to "it is true" or to "it is false". The bound condition
 * has two values only, and the SQL writer need not handle three-valued logic.
 */
export function bindFilter(scope: NameScope, expression: Expression): Condition {
  return bindCondition(scope, expression, true)
}

/** Creates the scope of expressions about a set. */
export function createScope(binding: Binding, record: RecordRef, outermost: RecordRef): Omit<NameScope, 'option'> {
  return {
    binding,
    binder: { bindCondition, bindValue },
    record,
    outermost,
    variables: noVariables,
    computed: noComputedValues,
    these: noTheseAggregates,
    collectionDepth: 0,
    outOfScope: new Set(),
  }
}

/** The condition that the expression is true, or that it is false, as `expected` says. */
function bindCondition(scope: NameScope, node: Expression, expected: boolean): Condition {
  switch (node.kind) {
    case 'operation':
      return bindOperation(scope, node, expected)
    case 'lambda':
      return negateUnless(expected, bindLambda(scope, node))
    case 'call': {
      const test = textTests.get(node.name)
      if (test !== undefined) return bindTextTest(scope, node, test, expected)
      break
    }
    case 'literal':
      if (node.type === 'null') return constant(false)
      if (node.type === 'boolean') return constant((node.value === 'true') === expected)
      break
    case 'name':
    case 'path':
      return bindBooleanField(scope, node, expected)
  }
  return bindBoolean(scope, node, expected)
}

function bindOperation(scope: NameScope, node: OperationNode, expected: boolean): Condition {
  const { operator, operands } = node
  switch (operator) {
    case 'and':
    case 'or': {
      // not (a and b) is (not a) or (not b), also in three-valued logic.
      const kind = (operator === 'and') === expected ? 'and' : 'or'
      return { kind, of: operands.map((operand) => bindCondition(scope, operand, expected)) }
    }
    case 'not':
      return bindCondition(scope, operandAt(operands, 0), !expected)
    case 'in':
      return negateUnless(expected, bindIn(scope, operandAt(operands, 0), operandAt(operands, 1)))
  }
  if (!isComparison(operator)) return bindBoolean(scope, node, expected)
  return negateUnless(expected, bindComparison(scope, operator, operandAt(operands, 0), operandAt(operands, 1)))
}

/** A boolean value as a condition. */
function bindBoolean(scope: NameScope, node: Expression, expected: boolean): Condition {
  const value = bindBooleanValue(scope, node)
  if (value.kind === 'condition') return negateUnless(expected, value.of)
  return value.kind === 'null' ? constant(false) : { kind: 'is', value, expected }
}

/** A boolean field as a condition. */
function bindBooleanField(scope: NameScope, node: Expression, expected: boolean): Condition {
  const resolved = resolveNode(scope, node)
  if (resolved?.kind !== 'field') return bindBoolean(scope, node, expected)
  const { field } = resolved
  if (field.type !== 'boolean') throw invalidExpressionError(scope, node.column, 'notBoolean', { field: field.wire })
  return compare('eq', resolved.value, addLiteral(scope.binding, expected, 'boolean'))
}

function bindTextTest(
  scope: NameScope,
  node: CallNode,
  { test, isReversed }: TextTestInfo,
  expected: boolean,
): Condition {
  const [text, part] = (isReversed ? node.args.toReversed() : node.args).map((arg) => bindTextOperand(scope, arg))
  if (text === undefined || part === undefined) throw new Error('a function has too few arguments')
  // A string function of null is unknown: neither true nor false.
  if (text.kind === 'null' || part.kind === 'null') return constant(false)
  if (!canRepeat(text) || !canRepeat(part))
    return { kind: 'is', value: callValue(test, 'boolean', text, part), expected }
  const present = [text, part].map(notNullCondition).filter(({ kind }) => kind !== 'constant')
  const condition = negateUnless(expected, { kind: 'text', test, left: text, right: part })
  return present.length === 0 ? condition : { kind: 'and', of: [...present, condition] }
}

function bindTextOperand(scope: NameScope, node: Expression): Value {
  const value = bindValue(scope, node)
  const type = typeOf(value)
  if (type === null || type === 'text') return value
  const resolved = resolveNode(scope, node)
  throw resolved?.kind === 'field'
    ? invalidExpressionError(scope, node.column, 'notAString', { field: resolved.field.wire })
    : invalidExpressionError(scope, node.column, 'expectedFieldOrText')
}

/** Values that are cheap enough to appear twice in the SQL. */
function canRepeat({ kind }: Value): boolean {
  return kind === 'field' || kind === 'literal'
}
