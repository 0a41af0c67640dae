// Filter binding: turns an expression into a condition that is either true or false, never null.
import type { ApiError } from '../../../errors/api-error.ts'
import { message, type MessageCode, type MessageParams } from '../../../errors/messages.ts'
import { invalidOptionError } from '../../odata/options/option.ts'
import type { AggregateNode, CallNode, CountNode, Expression, OperationNode } from '../../odata/expressions/syntax.ts'
import { callValue, typeOf } from './arithmetic.ts'
import { bindPathAggregate } from './bind-aggregate-expression.ts'
import { bindCount, bindLambda } from './bind-lambda.ts'
import { ComparisonBinder, resolveNode } from './bind-comparison.ts'
import { ValueBinder, type ConditionBinder } from './bind-value.ts'
import { addLiteral } from '../binding.ts'
import { compare, constant, isNotNull, negateUnless } from './conditions.ts'
import { operandAt, operatorBindings, textTests, type TextTestInfo } from './filter-operators.ts'
import type { NameScope } from './scope.ts'
import type { Condition, RelatedRecords, Value, ValueType } from './bound-expression.ts'

/**
 * Null is unknown to `and`, `or`, `not` and the string functions, and a record is returned only where the filter is
 * true (OData 4.01 part 2, 5.1.1.1). So each node is bound to "it is true" or to "it is false". The bound condition
 * has two values only, and the SQL writer need not handle three-valued logic.
 */
export function bindFilter(scope: NameScope, expression: Expression): Condition {
  return new FilterBinder(scope).bindCondition(expression, true)
}

/**
 * Binds an expression to a value, to sort by or to return; `expectedType` is the type for literals that fit several.
 */
export function bindValue(scope: NameScope, expression: Expression, expectedType?: ValueType): Value {
  return new ValueBinder(scope, new FilterBinder(scope)).bind(expression, expectedType)
}

class FilterBinder implements ConditionBinder {
  readonly #scope: NameScope
  readonly #values: ValueBinder
  readonly #comparisons: ComparisonBinder

  constructor(scope: NameScope) {
    this.#scope = scope
    this.#values = new ValueBinder(scope, this)
    this.#comparisons = new ComparisonBinder(scope, this.#values, this)
  }

  /** The condition that the expression is true, or that it is false, as `expected` says. */
  bindCondition(node: Expression, expected: boolean): Condition {
    switch (node.kind) {
      case 'operation':
        return this.#bindOperation(node, expected)
      case 'lambda':
        return negateUnless(expected, bindLambda(this.#scope, node, bindFilter))
      case 'call': {
        const test = textTests.get(node.name)
        if (test !== undefined) return this.#bindTextTest(node, test, expected)
        break
      }
      case 'literal':
        if (node.type === 'null') return constant(false)
        if (node.type === 'boolean') return constant((node.value === 'true') === expected)
        break
      case 'name':
      case 'path':
        return this.#bindBooleanField(node, expected)
    }
    return this.#bindBoolean(node, expected)
  }

  bindRelated(count: CountNode): RelatedRecords {
    return bindCount(this.#scope, count, bindFilter)
  }

  bindAggregate(node: AggregateNode): Value {
    return bindPathAggregate(this.#scope, node, bindValue)
  }

  #bindOperation(node: OperationNode, expected: boolean): Condition {
    const { operator, operands } = node
    const resolved = operatorBindings[operator]
    switch (resolved) {
      case 'chain': {
        // not (a and b) is (not a) or (not b), also in three-valued logic.
        const kind = (operator === 'and') === expected ? 'and' : 'or'
        return { kind, of: operands.map((operand) => this.bindCondition(operand, expected)) }
      }
      case 'not':
        return this.bindCondition(operandAt(operands, 0), !expected)
      case 'in':
        return negateUnless(expected, this.#comparisons.bindIn(operandAt(operands, 0), operandAt(operands, 1)))
      case 'value':
        return this.#bindBoolean(node, expected)
    }
    const [left, right] = [operandAt(operands, 0), operandAt(operands, 1)]
    return negateUnless(expected, this.#comparisons.bindComparison(resolved, left, right))
  }

  /** A boolean value as a condition. */
  #bindBoolean(node: Expression, expected: boolean): Condition {
    const value = this.#values.bindBoolean(node)
    if (value.kind === 'condition') return negateUnless(expected, value.of)
    return value.kind === 'null' ? constant(false) : { kind: 'is', value, expected }
  }

  /** A boolean field as a condition. */
  #bindBooleanField(node: Expression, expected: boolean): Condition {
    const resolved = resolveNode(this.#scope, node)
    if (resolved?.kind !== 'field') return this.#bindBoolean(node, expected)
    const { field } = resolved
    if (field.type !== 'boolean') throw this.#invalid(node.column, 'notBoolean', { field: field.wire })
    return compare('eq', resolved.value, addLiteral(this.#scope.binding, expected, 'boolean'))
  }

  #bindTextTest(node: CallNode, { test, isReversed }: TextTestInfo, expected: boolean): Condition {
    const [text, part] = (isReversed ? node.args.toReversed() : node.args).map((arg) => this.#bindTextOperand(arg))
    if (text === undefined || part === undefined) throw new Error('a function has too few arguments')
    // A string function of null is unknown: neither true nor false.
    if (text.kind === 'null' || part.kind === 'null') return constant(false)
    if (!canRepeat(text) || !canRepeat(part))
      return { kind: 'is', value: callValue(test, 'boolean', text, part), expected }
    const present = [text, part].map(isNotNull).filter(({ kind }) => kind !== 'constant')
    const condition = negateUnless(expected, { kind: 'text', test, left: text, right: part })
    return present.length === 0 ? condition : { kind: 'and', of: [...present, condition] }
  }

  #bindTextOperand(node: Expression): Value {
    const value = this.#values.bind(node)
    const type = typeOf(value)
    if (type === null || type === 'text') return value
    const resolved = resolveNode(this.#scope, node)
    throw resolved?.kind === 'field'
      ? this.#invalid(node.column, 'notAString', { field: resolved.field.wire })
      : this.#invalid(node.column, 'expectedFieldOrText')
  }

  #invalid(column: number, problem: MessageCode, params?: MessageParams): ApiError {
    return invalidOptionError(this.#scope.option, column, message(problem, params))
  }
}

/** Values that are cheap enough to appear twice in the SQL. */
function canRepeat({ kind }: Value): boolean {
  return kind === 'field' || kind === 'literal'
}
