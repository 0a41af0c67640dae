// Filter binding: turns an expression into a condition that is either true or false, never null.
import type { ApiError } from '../../../errors/api-error.ts'
import { message, type MessageCode, type MessageParams } from '../../../errors/messages.ts'
import type { Operator } from '../../odata/expressions/operators.ts'
import { invalidOptionError } from '../../odata/options/option.ts'
import {
  isLiteral,
  type AggregateNode,
  type CallNode,
  type CountNode,
  type Expression,
  type ListNode,
  type LiteralNode,
  type OperationNode,
} from '../../odata/expressions/syntax.ts'
import { toCommonType, callValue, typeOf } from './arithmetic.ts'
import { bindPathAggregate } from './bind-aggregate-expression.ts'
import { bindCount, bindLambda } from './bind-lambda.ts'
import { ValueBinder, type ConditionBinder } from './bind-value.ts'
import { ValueComparer, type ComparedValue } from './compare-value.ts'
import { compare, constant, isNotNull, negateUnless } from './conditions.ts'
import { bindComplexEquals, bindComplexIsNull, bindEqualsObject } from './compare-complex.ts'
import { compareLiterals } from './compare-literals.ts'
import { fieldValue } from './field-value.ts'
import { resolveName, joinRecord, type NameScope, type ResolvedName } from './scope.ts'
import { fieldsNamed } from './names.ts'
import type { ComparisonOperator, Condition, RelatedRecords, TextTest, Value, ValueType } from './bound-expression.ts'

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
  readonly #comparer: ValueComparer
  readonly #values: ValueBinder

  constructor(scope: NameScope) {
    this.#scope = scope
    this.#comparer = new ValueComparer(scope.binding, scope.option)
    this.#values = new ValueBinder(scope, this)
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
        return negateUnless(expected, this.#bindIn(operandAt(operands, 0), operandAt(operands, 1)))
      case 'value':
        return this.#bindBoolean(node, expected)
    }
    return negateUnless(expected, this.#bindComparison(resolved, operandAt(operands, 0), operandAt(operands, 1)))
  }

  /** A boolean value as a condition. */
  #bindBoolean(node: Expression, expected: boolean): Condition {
    const value = this.#values.bindBoolean(node)
    if (value.kind === 'condition') return negateUnless(expected, value.of)
    return value.kind === 'null' ? constant(false) : { kind: 'is', value, expected }
  }

  /** A boolean field as a condition. */
  #bindBooleanField(node: Expression, expected: boolean): Condition {
    const resolved = this.#resolve(node)
    if (resolved?.kind !== 'field') return this.#bindBoolean(node, expected)
    const { field } = resolved
    if (field.type !== 'boolean') throw this.#invalid(node.column, 'notBoolean', { field: field.wire })
    const value = expected ? 'true' : 'false'
    const literal = { kind: 'literal', type: 'boolean', value, column: node.column } as const
    return this.#comparer.compare('eq', comparedField(resolved), literal)
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
    const resolved = this.#resolve(node)
    throw resolved?.kind === 'field'
      ? this.#invalid(node.column, 'notAString', { field: resolved.field.wire })
      : this.#invalid(node.column, 'expectedFieldOrText')
  }

  #bindIn(left: Expression, right: Expression): Condition {
    if (right.kind !== 'list' && right.kind !== 'array') throw this.#invalid(right.column, 'expectedList')
    const compared = this.#bindCompared(left)
    if (compared === null) return constant(literalsOf(right).some(({ type }) => type === 'null'))
    return this.#comparer.isIn(compared, literalsOf(right))
  }

  /** The value that is compared with literals; null where it is the null literal. */
  #bindCompared(node: Expression): ComparedValue | null {
    const resolved = this.#resolve(node)
    if (resolved?.kind === 'field') return comparedField(resolved)
    const value = this.#values.bind(node)
    const type = typeOf(value)
    return type === null ? null : { value, type, name: null }
  }

  #bindComparison(operator: ComparisonOperator, one: Expression, other: Expression): Condition {
    const [left, right] = [foldMinus(one), foldMinus(other)]
    if (isLiteral(left) && isLiteral(right)) {
      const holds = compareLiterals(operator, left, right)
      if (holds !== undefined) return constant(holds)
      if (left.type !== right.type) throw this.#invalid(right.column, 'operandTypesDiffer')
    } else if (isLiteral(right)) return this.#compareWithLiteral(operator, left, right)
    else if (isLiteral(left)) return this.#compareWithLiteral(swappedOperators[operator], right, left)
    const equality = this.#bindComplexEquality(left, right) ?? this.#bindComplexEquality(right, left)
    if (equality !== undefined) return this.#requireEquality(operator, equality, right)
    for (const side of [left, right]) this.#rejectNotBeforeComparison(side)
    const values = this.#values.bindPair(left, right)
    const [first, second] = toCommonType(values) ?? []
    if (first === undefined || second === undefined) throw this.#typesDiffer(left, right)
    return compare(operator, first, second)
  }

  /** Equality of two complex values; undefined where the first is not complex. */
  #bindComplexEquality(one: Expression, other: Expression): Condition | undefined {
    const resolved = this.#resolve(one)
    if (resolved?.kind !== 'complex') return undefined
    if (other.kind === 'object') return bindEqualsObject(this.#scope, this.#comparer, resolved, other)
    const another = this.#resolve(other)
    if (another?.kind !== 'complex') throw this.#invalid(other.column, 'operandTypesDiffer')
    return bindComplexEquals(this.#scope, [resolved, another], other)
  }

  /** Complex values can be compared for equality only. */
  #requireEquality(operator: ComparisonOperator, condition: Condition, { column }: Expression): Condition {
    if (operator !== 'eq' && operator !== 'ne') throw this.#invalid(column, 'complexValueNotOrdered')
    return negateUnless(operator === 'eq', condition)
  }

  /** `not name eq …` means `(not name) eq …`; where the name is not boolean, the caller meant something else. */
  #rejectNotBeforeComparison(node: Expression): void {
    if (node.kind !== 'operation' || node.operator !== 'not') return
    const resolved = this.#resolve(operandAt(node.operands, 0))
    if (resolved?.kind === 'field' && resolved.field.type !== 'boolean')
      throw this.#invalid(node.column, 'notPrecedence')
  }

  #compareWithLiteral(operator: ComparisonOperator, node: Expression, literal: LiteralNode): Condition {
    if (isCondition(node)) return this.#compareCondition(operator, node, literal)
    if (literal.type === 'null') {
      const resolved = this.#resolve(node)
      if (resolved?.kind === 'complex')
        return this.#requireEquality(operator, bindComplexIsNull(this.#scope, resolved, node), literal)
      const keyField = this.#relatedKeyField(resolved, node)
      if (keyField !== undefined) return this.#comparer.compare(operator, keyField, literal)
    }
    const compared = this.#bindCompared(node)
    if (compared === null) return constant(compareWithNull(operator, literal))
    return this.#comparer.compare(operator, compared, literal)
  }

  /** `startswith(name,'x') eq true`, the syntax of OData 2 clients. */
  #compareCondition(operator: ComparisonOperator, condition: Expression, other: LiteralNode): Condition {
    if (other.type !== 'boolean' && other.type !== 'null' && isNot(condition))
      throw this.#invalid(condition.column, 'notPrecedence')
    if (other.type !== 'boolean' && other.type !== 'null') throw this.#invalid(other.column, 'booleanComparison')
    if (other.type === 'boolean' && (operator === 'eq' || operator === 'ne'))
      // `ne` is true for null, which equals neither value.
      return negateUnless(operator === 'eq', this.bindCondition(condition, other.value === 'true'))
    const value = this.#values.bindBoolean(condition)
    return this.#comparer.compare(operator, { value, type: 'boolean', name: null }, other)
  }

  /** Comparison of a single related record with null (4.01, 5.1.1.1.1): its key is null where there is no record. */
  #relatedKeyField(resolved: ResolvedName | undefined, node: Expression): ComparedValue | undefined {
    if (resolved?.kind !== 'relation' || resolved.relation.isMany) return undefined
    const { relation } = resolved
    const record = joinRecord(this.#scope, resolved.from, relation, node)
    const [field] = fieldsNamed(relation.to, relation.to.key)
    if (field === undefined) throw new Error('a resource without a key')
    return { value: fieldValue(record, field), type: field.type, name: field.wire }
  }

  #resolve(node: Expression): ResolvedName | undefined {
    if (node.kind === 'name') return resolveName(this.#scope, [node])
    return node.kind === 'path' ? resolveName(this.#scope, node.names) : undefined
  }

  #typesDiffer(left: Expression, right: Expression): ApiError {
    const [one, other] = [this.#resolve(left), this.#resolve(right)]
    if (one?.kind !== 'field' || other?.kind !== 'field') return this.#invalid(right.column, 'operandTypesDiffer')
    const params = { one: one.field.wire, other: other.field.wire }
    return this.#invalid(right.column, 'fieldTypesDiffer', params)
  }

  #invalid(column: number, problem: MessageCode, params?: MessageParams): ApiError {
    return invalidOptionError(this.#scope.option, column, message(problem, params))
  }
}

function comparedField({ field, value }: ResolvedName & { readonly kind: 'field' }): ComparedValue {
  return { value, type: field.type, name: field.wire }
}

/** How a filter binds each operator; comparison operators map to themselves. */
const operatorBindings: Record<Operator, ComparisonOperator | 'chain' | 'not' | 'in' | 'value'> = {
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

/** The same comparison with its sides swapped. */
const swappedOperators: Record<ComparisonOperator, ComparisonOperator> = {
  eq: 'eq',
  ne: 'ne',
  gt: 'lt',
  ge: 'le',
  lt: 'gt',
  le: 'ge',
}

/** Only equality can be true for null. */
function compareWithNull(operator: ComparisonOperator, literal: LiteralNode): boolean {
  return operator === 'eq' ? literal.type === 'null' : operator === 'ne' && literal.type !== 'null'
}

interface TextTestInfo {
  readonly test: TextTest
  /** The substring is the first argument. */
  readonly isReversed?: true
}

const textTests: ReadonlyMap<string, TextTestInfo> = new Map([
  ['startswith', { test: 'startswith' }],
  ['endswith', { test: 'endswith' }],
  ['contains', { test: 'contains' }],
  ['substringof', { test: 'contains', isReversed: true }],
])

/** Values that are cheap enough to appear twice in the SQL. */
function canRepeat({ kind }: Value): boolean {
  return kind === 'field' || kind === 'literal'
}

/** `-INF` and `-(5)` are literals too. */
function foldMinus(node: Expression): Expression {
  if (node.kind !== 'operation' || node.operator !== '-') return node
  const of = operandAt(node.operands, 0)
  if (!isLiteral(of) || of.type !== 'number') return node
  const value = of.value.startsWith('-') ? of.value.slice(1) : `-${of.value.replace('+', '')}`
  return { ...of, value, column: node.column }
}

function isNot(node: Expression): boolean {
  return node.kind === 'operation' && node.operator === 'not'
}

function isCondition(node: Expression): boolean {
  if (node.kind === 'operation') return operatorBindings[node.operator] !== 'value'
  return node.kind === 'lambda' || (node.kind === 'call' && textTests.has(node.name))
}

function literalsOf({ items }: Pick<ListNode, 'items'>): LiteralNode[] {
  return items.filter(isLiteral)
}

/** The operator table guarantees the number of operands. */
function operandAt(operands: readonly Expression[], index: number): Expression {
  const operand = operands[index]
  if (operand === undefined) throw new Error(`an operator has no operand ${index}`)
  return operand
}
