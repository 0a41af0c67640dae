// Value binding: turns an expression into a typed value; names become fields.
import type { ApiError } from '../../../errors/api-error.ts'
import { message, type MessageCode, type MessageParams } from '../../../errors/messages.ts'
import { dayNumber, yearMax, yearMin } from '../../../lib/calendar.ts'
import { parseDateTime } from '../../../lib/date-time.ts'
import { microsecondsPerDay } from '../../../lib/timestamp.ts'
import { limitError, expressionLimits } from '../../odata/expressions/complexity.ts'
import type { Operator } from '../../odata/expressions/operators.ts'
import { invalidOptionError, unsupportedError } from '../../odata/options/option.ts'
import {
  isLiteral,
  type AggregateNode,
  type CallNode,
  type CaseNode,
  type CountNode,
  type Expression,
  type OperationNode,
} from '../../odata/expressions/syntax.ts'
import { toCommonType, callValue, isNumber, bindArithmetic, typeOf, type ArithmeticOperator } from './arithmetic.ts'
import { castValue, isOfType } from './casts.ts'
import { bindLiteral } from './bind-literal.ts'
import { typePhrase } from './compare-value.ts'
import { addLiteral } from '../binding.ts'
import { constant, isNotNull, nullValue } from './conditions.ts'
import { resolveName, type NameScope } from './scope.ts'
import { parseDigits } from '../../../lib/decimal-digits.ts'
import type { Condition, RelatedRecords, Value, ValueType } from './bound-expression.ts'
import { countOperations } from './count-operations.ts'
import { argumentType, isValueFunction, findSignature } from './function-signatures.ts'

/** Binds the parts of a value that are conditions or collections. */
export interface ConditionBinder {
  bindCondition(node: Expression, expected: boolean): Condition
  bindRelated(count: CountNode): RelatedRecords
  bindAggregate(node: AggregateNode): Value
}

export class ValueBinder {
  readonly #scope: NameScope
  readonly #conditions: ConditionBinder

  constructor(scope: NameScope, conditions: ConditionBinder) {
    this.#scope = scope
    this.#conditions = conditions
  }

  /** `expectedType` is the type for literals that fit several. */
  bind(node: Expression, expectedType?: ValueType): Value {
    switch (node.kind) {
      case 'literal':
        return bindLiteral(this.#scope, node, expectedType)
      case 'name':
        return this.#bindPath(node, [node])
      case 'path':
        return this.#bindPath(node, node.names)
      case 'operation':
        return this.#bindOperation(node, expectedType)
      case 'call':
        return this.#bindCall(node)
      case 'case':
        return this.#bindCase(node, expectedType)
      case 'count':
        return this.#scope.these.get(node) ?? { kind: 'count', of: this.#conditions.bindRelated(node) }
      case 'aggregate':
        return this.#scope.these.get(node) ?? this.#conditions.bindAggregate(node)
      case 'lambda':
        return { kind: 'condition', of: this.#conditions.bindCondition(node, true) }
    }
    throw this.#unsupported(node.column, unsupportedNodes[node.kind])
  }

  /** Binds two operands, each literal to the type of the other operand. */
  bindPair(left: Expression, right: Expression): readonly [Value, Value] {
    if (isLiteral(left) && !isLiteral(right)) {
      const other = this.bind(right)
      return [this.bind(left, typeOf(other) ?? undefined), other]
    }
    const one = this.bind(left)
    return [one, this.bind(right, typeOf(one) ?? undefined)]
  }

  #bindPath(node: Expression, names: Parameters<typeof resolveName>[1]): Value {
    const resolved = resolveName(this.#scope, names)
    if (resolved.kind === 'computed') this.#addComplexity(countOperations(resolved.value), node.column)
    if (resolved.kind === 'field' || resolved.kind === 'computed') return resolved.value
    const last = names.at(-1) ?? node
    throw this.#invalid(last.column, 'expectedField')
  }

  /** An alias stands for its whole expression, so that aliases of aliases could double the size at each step. */
  #addComplexity(nodes: number, column: number): void {
    const { binding, option } = this.#scope
    binding.complexity.nodes += nodes
    if (binding.complexity.nodes > expressionLimits.nodes) throw limitError(option, column, 'nodes')
  }

  #bindOperation(node: OperationNode, expectedType: ValueType | undefined): Value {
    const { operator, operands, column } = node
    const [left, right] = operands
    if (left === undefined) throw new Error('an operator has no operand')
    if (operator === '-') return this.#bindNegation(node, left, expectedType)
    if (operator === 'and' || operator === 'or' || operator === 'not') return this.#bindLogic(node)
    if (operator === 'has' && right !== undefined) return this.#bindHas(left, right, column)
    if (right === undefined || !isArithmetic(operator))
      return { kind: 'condition', of: this.#conditions.bindCondition(node, true) }
    if (divisionOperators.has(operator) && isZero(right)) throw this.#invalid(right.column, 'dividesByZero')
    const [one, other] = this.bindPair(left, right)
    const value = bindArithmetic(operator, one, other)
    if (value !== undefined) return value
    throw this.#invalid(column, 'operandTypesNotAccepted', {
      operator,
      one: typePhrase(typeOf(one) ?? 'integer'),
      other: typePhrase(typeOf(other) ?? 'integer'),
    })
  }

  /** True where all flags of the right side are set on the left side (5.1.1.1.9). */
  #bindHas(left: Expression, right: Expression, column: number): Value {
    const [one, other] = this.bindPair(left, right)
    const [type, otherType] = [typeOf(one), typeOf(other)]
    if (type === null || otherType === null) return nullValue
    if (typeof type === 'object' && type === otherType) return callValue('hasFlags', 'boolean', one, other)
    const params = { operator: 'has', one: typePhrase(type), other: typePhrase(otherType) }
    throw this.#invalid(column, 'operandTypesNotAccepted', params)
  }

  #bindNegation(node: OperationNode, of: Expression, expectedType: ValueType | undefined): Value {
    const value = this.bind(of, expectedType)
    const type = typeOf(value)
    if (type === null) return nullValue
    if (isNumber(type) || type === 'duration') return callValue('negated', type, value)
    throw this.#invalid(node.column, 'operatorTakes', { operator: '-', kind: typePhrase('decimal') })
  }

  /** Three-valued logic: null is unknown (5.1.1.1.7). */
  #bindLogic({ operator, operands }: OperationNode): Value {
    const name = operator === 'and' || operator === 'or' ? operator : 'not'
    return callValue(name, 'boolean', ...operands.map((operand) => this.bindBoolean(operand)))
  }

  bindBoolean(node: Expression): Value {
    const value = this.bind(node, 'boolean')
    const type = typeOf(value)
    if (type === null || type === 'boolean') return value
    throw this.#invalid(node.column, 'expectedCondition')
  }

  #bindCall(node: CallNode): Value {
    const { name, args, column } = node
    const timestamp = this.#bindTimestampFunction(node)
    if (timestamp !== undefined) return timestamp
    if (name === 'cast' || name === 'isof') return this.#bindTypeFunction(node)
    if (name === 'totaloffsetminutes') return this.#bindOffset(args[0] ?? node)
    if (!isValueFunction(name)) throw this.#notSupported(column, name)
    const values = args.map((arg, index) => this.bind(arg, argumentType(name, index)))
    const [first, , third] = args
    if (name === 'substring' && third !== undefined && isNegative(third))
      throw this.#invalid(third.column, 'expectedCount')
    if (dateParts.has(name) && first !== undefined) this.#requireUtc(first)
    const signature = findSignature(name, values)
    if (signature === undefined) throw this.#invalid(column, 'argumentTypesNotAccepted', { name })
    // Every function of null is null.
    return values.some(({ kind }) => kind === 'null') ? nullValue : signature.bind(...values)
  }

  /** `cast` and `isof`: the type is the second argument; no resource has derived types. */
  #bindTypeFunction({ name, args: [of, type], column }: CallNode): Value {
    if (of === undefined || type === undefined || !isLiteral(type)) throw this.#notSupported(column, name)
    const value = this.bind(of)
    const given = typeOf(value)
    if (name === 'isof') {
      const isMember = given === null ? undefined : isOfType(type.value, given)
      if (isMember === undefined) throw this.#notSupported(column, name)
      return { kind: 'condition', of: isMember ? isNotNull(value) : constant(false) }
    }
    const cast = castValue(type.value, value)
    if (cast === undefined) throw this.#notSupported(column, name)
    return cast
  }

  /** `now()`, and the first and the last timestamp that the service stores (ADR 0005). */
  #bindTimestampFunction({ name }: CallNode): Value | undefined {
    const { binding } = this.#scope
    const timestamp = name === 'now' ? binding.clock() : timestampBounds.get(name)
    return timestamp === undefined ? undefined : addLiteral(binding, timestamp, 'timestamp')
  }

  /** Timestamps are stored in UTC, so only a literal can have another offset. */
  #bindOffset(node: Expression): Value {
    const value = this.bind(node)
    if (typeOf(value) === null) return nullValue
    if (typeOf(value) !== 'timestamp')
      throw this.#invalid(node.column, 'argumentTypesNotAccepted', { name: 'totaloffsetminutes' })
    const minutes = isLiteral(node) ? (parseDateTime(node.value)?.offset ?? 0) : 0
    const offset = addLiteral(this.#scope.binding, minutes, 'integer')
    const condition = isNotNull(value)
    return condition.kind === 'constant'
      ? offset
      : { kind: 'case', branches: [{ condition, value: offset }], type: 'integer' }
  }

  /** The parts of a timestamp are those in its own offset, which is not stored (5.1.1.8). */
  #requireUtc(node: Expression): void {
    if (!isLiteral(node) || node.type !== 'dateTime') return
    if ((parseDateTime(node.value)?.offset ?? 0) !== 0) throw this.#unsupported(node.column, 'timeZoneNotUtc')
  }

  #bindCase({ branches, column }: CaseNode, expectedType: ValueType | undefined): Value {
    const conditions = branches.map(({ condition }) => this.#conditions.bindCondition(condition, true))
    const values = toCommonType(branches.map(({ value }) => this.bind(value, expectedType)))
    if (values === undefined) throw this.#invalid(column, 'valueTypesDiffer')
    const type = values.map(typeOf).find((one) => one !== null)
    if (type === undefined || type === null) return nullValue
    const bound = conditions.map((condition, index) => ({ condition, value: values[index] ?? nullValue }))
    return { kind: 'case', branches: bound, type }
  }

  #invalid(column: number, problem: MessageCode, params?: MessageParams): ApiError {
    return invalidOptionError(this.#scope.option, column, message(problem, params))
  }

  #unsupported(column: number, feature: MessageCode): ApiError {
    return unsupportedError(this.#scope.option, column, feature)
  }

  #notSupported(column: number, name: string): ApiError {
    return unsupportedError(this.#scope.option, column, message('theFunction', { name }))
  }
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
