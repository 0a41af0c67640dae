// Value binding: turns an expression into a typed value; names become fields.
import type { ApiError } from '../../../errors/api-error.ts'
import { message, type MessageCode } from '../../../errors/messages.ts'
import { dayNumber, yearMax, yearMin } from '../../../lib/calendar.ts'
import { parseDateTime } from '../../../lib/date-time.ts'
import { microsecondsPerDay } from '../../../lib/timestamp.ts'
import { limitError, expressionLimits } from '../../odata/expressions/complexity.ts'
import type { Operator } from '../../odata/expressions/operators.ts'
import { unsupportedError } from '../../odata/options/option.ts'
import {
  isLiteral,
  type CallNode,
  type CaseNode,
  type Expression,
  type OperationNode,
} from '../../odata/expressions/syntax.ts'
import { toCommonType, bindArithmetic, type ArithmeticOperator } from './arithmetic.ts'
import { castValue, isOfType } from './casts.ts'
import { bindPathAggregate } from './bind-aggregate-expression.ts'
import { bindCount } from './bind-collection.ts'
import { bindLiteral, withoutQuotes } from './bind-literal.ts'
import { typePhrase } from './compare-value.ts'
import { addLiteral } from '../binding.ts'
import { constant, notNullCondition } from './conditions.ts'
import { invalidExpressionError, resolveName, type NameScope } from './scope.ts'
import { parseDigits } from '../../../lib/decimal-digits.ts'
import type { Value, ValueType } from './bound-expression.ts'
import { countOperations } from './count-operations.ts'
import { functionSignatures, findSignature } from './function-signatures.ts'
import { callValue, isNumber, nullValue, typeOf } from './typed-value.ts'

/**
 * Binds an expression to a value, to sort by or to return; `expectedType` is the type for literals that fit several.
 */
export function bindValue(scope: NameScope, node: Expression, expectedType?: ValueType): Value {
  switch (node.kind) {
    case 'literal':
      return bindLiteral(scope, node, expectedType)
    case 'name':
      return bindPath(scope, node, [node])
    case 'path':
      return bindPath(scope, node, node.names)
    case 'operation':
      return bindOperation(scope, node, expectedType)
    case 'call':
      return bindCall(scope, node)
    case 'case':
      return bindCase(scope, node, expectedType)
    case 'count':
      return scope.these.get(node) ?? { kind: 'count', of: bindCount(scope, node) }
    case 'aggregate':
      return scope.these.get(node) ?? bindPathAggregate(scope, node)
    case 'lambda':
      return { kind: 'condition', of: scope.binder.bindCondition(scope, node, true) }
  }
  throw unsupportedError(scope.option, node.column, unsupportedNodes[node.kind])
}

/** Binds two operands, each literal to the type of the other operand. */
export function bindPair(scope: NameScope, left: Expression, right: Expression): readonly [Value, Value] {
  if (isLiteral(left) && !isLiteral(right)) {
    const other = bindValue(scope, right)
    return [bindValue(scope, left, typeOf(other) ?? undefined), other]
  }
  const one = bindValue(scope, left)
  return [one, bindValue(scope, right, typeOf(one) ?? undefined)]
}

function bindPath(scope: NameScope, node: Expression, names: Parameters<typeof resolveName>[1]): Value {
  const resolved = resolveName(scope, names)
  if (resolved.kind === 'computed') addComplexity(scope, countOperations(resolved.value), node.column)
  if (resolved.kind === 'field' || resolved.kind === 'computed') return resolved.value
  const last = names.at(-1) ?? node
  throw invalidExpressionError(scope, last.column, 'expectedField')
}

/** An alias stands for its whole expression, so that aliases of aliases could double the size at each step. */
function addComplexity(scope: NameScope, nodes: number, column: number): void {
  const { binding, option } = scope
  binding.complexity.nodes += nodes
  if (binding.complexity.nodes > expressionLimits.nodes) throw limitError(option, column, 'nodes')
}

function bindOperation(scope: NameScope, node: OperationNode, expectedType: ValueType | undefined): Value {
  const { operator, operands, column } = node
  const [left, right] = isArithmetic(operator) ? operands.map((operand) => withoutQuotes(scope, operand)) : operands
  if (left === undefined) throw new Error('an operator has no operand')
  if (operator === '-') return bindNegation(scope, node, left, expectedType)
  if (operator === 'and' || operator === 'or' || operator === 'not') return bindLogic(scope, node)
  if (operator === 'has' && right !== undefined) return bindHas(scope, left, right, column)
  if (right === undefined || !isArithmetic(operator))
    return { kind: 'condition', of: scope.binder.bindCondition(scope, node, true) }
  if (divisionOperators.has(operator) && isZero(right))
    throw invalidExpressionError(scope, right.column, 'dividesByZero')
  const [one, other] = bindPair(scope, left, right)
  const value = bindArithmetic(operator, one, other)
  if (value !== undefined) return value
  throw invalidExpressionError(scope, column, 'operandTypesNotAccepted', {
    operator,
    one: typePhrase(typeOf(one) ?? 'integer'),
    other: typePhrase(typeOf(other) ?? 'integer'),
  })
}

/** True where all flags of the right side are set on the left side (5.1.1.1.9). */
function bindHas(scope: NameScope, left: Expression, right: Expression, column: number): Value {
  const [one, other] = bindPair(scope, left, right)
  const [type, otherType] = [typeOf(one), typeOf(other)]
  if (type === null || otherType === null) return nullValue
  if (typeof type === 'object' && type === otherType) return callValue('hasFlags', 'boolean', one, other)
  const params = { operator: 'has', one: typePhrase(type), other: typePhrase(otherType) }
  throw invalidExpressionError(scope, column, 'operandTypesNotAccepted', params)
}

function bindNegation(
  scope: NameScope,
  node: OperationNode,
  of: Expression,
  expectedType: ValueType | undefined,
): Value {
  const value = bindValue(scope, of, expectedType)
  const type = typeOf(value)
  if (type === null) return nullValue
  if (isNumber(type) || type === 'duration') return callValue('negated', type, value)
  throw invalidExpressionError(scope, node.column, 'operatorTakes', { operator: '-', kind: typePhrase('decimal') })
}

/** Three-valued logic: null is unknown (5.1.1.1.7). */
function bindLogic(scope: NameScope, { operator, operands }: OperationNode): Value {
  const name = operator === 'and' || operator === 'or' ? operator : 'not'
  return callValue(name, 'boolean', ...operands.map((operand) => bindBooleanValue(scope, operand)))
}

export function bindBooleanValue(scope: NameScope, node: Expression): Value {
  const value = bindValue(scope, node, 'boolean')
  const type = typeOf(value)
  if (type === null || type === 'boolean') return value
  throw invalidExpressionError(scope, node.column, 'expectedCondition')
}

function bindCall(scope: NameScope, node: CallNode): Value {
  const { name, args, column } = node
  const timestamp = bindTimestampFunction(scope, node)
  if (timestamp !== undefined) return timestamp
  if (name === 'cast' || name === 'isof') return bindTypeFunction(scope, node)
  if (name === 'totaloffsetminutes') return bindOffset(scope, args[0] ?? node)
  const [overload] = functionSignatures.get(name) ?? []
  if (overload === undefined) throw unsupportedFunctionError(scope, column, name)
  // A literal that fits several types gets that of the first overload.
  const typed = args.map((arg, index) => {
    const type = overload.parameterTypes[index]
    return { type, arg: type === 'text' ? arg : withoutQuotes(scope, arg) }
  })
  const values = typed.map(({ arg, type }) => bindValue(scope, arg, type))
  const [first, , third] = typed.map(({ arg }) => arg)
  if (name === 'substring' && third !== undefined && isNegative(third))
    throw invalidExpressionError(scope, third.column, 'expectedCount')
  if (dateParts.has(name) && first !== undefined) requireUtc(scope, first)
  const signature = findSignature(name, values)
  if (signature === undefined) throw invalidExpressionError(scope, column, 'argumentTypesNotAccepted', { name })
  // Every function of null is null.
  return values.some(({ kind }) => kind === 'null') ? nullValue : signature.bind(...values)
}

/** `cast` and `isof`: the type is the second argument; no resource has derived types. */
function bindTypeFunction(scope: NameScope, { name, args: [of, type], column }: CallNode): Value {
  if (of === undefined || type === undefined || !isLiteral(type)) throw unsupportedFunctionError(scope, column, name)
  const value = bindValue(scope, of)
  const given = typeOf(value)
  if (name === 'isof') {
    const isMember = given === null ? undefined : isOfType(type.value, given)
    if (isMember === undefined) throw unsupportedFunctionError(scope, column, name)
    return { kind: 'condition', of: isMember ? notNullCondition(value) : constant(false) }
  }
  const cast = castValue(type.value, value)
  if (cast === undefined) throw unsupportedFunctionError(scope, column, name)
  return cast
}

/** `now()`, and the first and the last timestamp that the service stores (ADR 0005). */
function bindTimestampFunction(scope: NameScope, { name }: CallNode): Value | undefined {
  const { binding } = scope
  const timestamp = name === 'now' ? binding.clock() : timestampBounds.get(name)
  return timestamp === undefined ? undefined : addLiteral(binding, timestamp, 'timestamp')
}

/** Timestamps are stored in UTC, so only a literal can have another offset. */
function bindOffset(scope: NameScope, node: Expression): Value {
  const value = bindValue(scope, node)
  if (typeOf(value) === null) return nullValue
  if (typeOf(value) !== 'timestamp')
    throw invalidExpressionError(scope, node.column, 'argumentTypesNotAccepted', { name: 'totaloffsetminutes' })
  const minutes = isLiteral(node) ? (parseDateTime(node.value)?.offset ?? 0) : 0
  const offset = addLiteral(scope.binding, minutes, 'integer')
  const condition = notNullCondition(value)
  return condition.kind === 'constant'
    ? offset
    : { kind: 'case', branches: [{ condition, value: offset }], type: 'integer' }
}

/** The parts of a timestamp are those in its own offset, which is not stored (5.1.1.8). */
function requireUtc(scope: NameScope, node: Expression): void {
  if (!isLiteral(node) || node.type !== 'dateTime') return
  if ((parseDateTime(node.value)?.offset ?? 0) !== 0)
    throw unsupportedError(scope.option, node.column, 'timeZoneNotUtc')
}

function bindCase(scope: NameScope, { branches, column }: CaseNode, expectedType: ValueType | undefined): Value {
  const conditions = branches.map(({ condition }) => scope.binder.bindCondition(scope, condition, true))
  const values = toCommonType(branches.map(({ value }) => bindValue(scope, value, expectedType)))
  if (values === undefined) throw invalidExpressionError(scope, column, 'valueTypesDiffer')
  const type = values.map(typeOf).find((one) => one !== null)
  if (type === undefined || type === null) return nullValue
  const bound = conditions.map((condition, index) => ({ condition, value: values[index] ?? nullValue }))
  return { kind: 'case', branches: bound, type }
}

function unsupportedFunctionError(scope: NameScope, column: number, name: string): ApiError {
  return unsupportedError(scope.option, column, message('theFunction', { name }))
}

const unsupportedNodes = { list: 'anArray', array: 'anArray', object: 'anObject' } as const satisfies Record<
  string,
  MessageCode
>

function isArithmetic(operator: Operator): operator is ArithmeticOperator {
  return arithmeticOperators.has(operator)
}

const divisionOperators: ReadonlySet<Operator> = new Set(['div', 'divby', 'mod'])
const arithmeticOperators: ReadonlySet<Operator> = new Set([...(['add', 'sub', 'mul'] as const), ...divisionOperators])
const dateParts: ReadonlySet<string> = new Set(['year', 'month', 'day', 'hour', 'date', 'time'])

/** Canonical functions beside those with signatures. */
const otherFunctions = ['now', 'mindatetime', 'maxdatetime', 'totaloffsetminutes', 'cast', 'isof'] as const

/** All functions that `$filter` supports, by name. */
export const supportedFunctions: readonly string[] = [...functionSignatures.keys(), ...otherFunctions]

const timestampBounds: ReadonlyMap<string, number> = new Map([
  ['mindatetime', dayNumber(yearMin, 1, 1) * microsecondsPerDay],
  ['maxdatetime', dayNumber(yearMax + 1, 1, 1) * microsecondsPerDay - 1],
])

function isZero(node: Expression): boolean {
  return isLiteral(node) && node.type === 'number' && parseDigits(node.value).digits === ''
}

function isNegative(node: Expression): boolean {
  return isLiteral(node) && node.type === 'number' && node.value.startsWith('-')
}
