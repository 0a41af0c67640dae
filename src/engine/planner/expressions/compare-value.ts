// Exact comparison of a value with literals, also with those that its type cannot represent.
import { ApiError } from '../../../errors/api-error.ts'
import { closestMatch } from '../../../lib/closest-match.ts'
import { message, type LocalizedMessage, type MessageCode } from '../../../errors/messages.ts'
import { truncateName, errorTarget, invalidOptionError, type QueryOption } from '../../odata/options/option.ts'
import type { LiteralNode } from '../../odata/expressions/syntax.ts'
import { addLiteral, addLiteralOf, type Binding } from '../binding.ts'
import { compare, constant, notNullCondition, nullCondition } from './conditions.ts'
import { kindOfType } from '../../model/resource.ts'
import { locateOperand, type LiteralLocation } from './literal-location.ts'
import type { ComparisonOperator, Condition, Value, ValueKind, ValueType } from './bound-expression.ts'
import { nullValue } from './typed-value.ts'

/** The value that is compared, and its name in errors; null for an expression. */
export interface ComparedValue {
  readonly value: Value
  readonly type: ValueType
  readonly name: string | null
}

/** Where literals are written; they are added to the values of the query. */
interface ComparisonContext {
  readonly binding: Binding
  readonly option: QueryOption
}

/** A literal that no value of the type can have decides the comparison, or makes it one with the nearest value. */
export function compareWithLiteral(
  context: ComparisonContext,
  operator: ComparisonOperator,
  compared: ComparedValue,
  literal: LiteralNode,
): Condition {
  const { value: left, type } = compared
  if (literal.type === 'null') {
    // Only equality can be true for null.
    if (operator !== 'eq' && operator !== 'ne') return constant(false)
    return compare(operator, left, nullValue)
  }
  // NaN equals nothing, not even itself (OData 4.01 part 2, 5.1.1.1).
  if (literal.type === 'number' && literal.value === 'NaN') return constant(operator === 'ne')
  const location = locate(context, compared, literal)
  if (location.at === 'belowAll' || location.at === 'aboveAll') {
    const holds = resultsBeyond[location.at][operator]
    return holds === 'present' ? notNullCondition(left) : constant(holds)
  }
  const effective = location.at === 'value' ? operator : operatorsBetween[operator]
  if (typeof effective === 'boolean') return constant(effective)
  const { value } = location
  const right =
    location.at === 'value'
      ? addLiteralOf(context.binding, context.option, value, { literals: [literal], isList: false, type })
      : addLiteral(context.binding, value, type)
  return compare(effective, left, right)
}

/** Whether the value is one of the literals; a null literal matches null. */
export function compareWithLiterals(
  context: ComparisonContext,
  compared: ComparedValue,
  literals: readonly LiteralNode[],
): Condition {
  const { value: left, type } = compared
  if (type === 'boolean')
    return { kind: 'or', of: literals.map((literal) => compareWithLiteral(context, 'eq', compared, literal)) }
  const members: (string | number)[] = []
  let hasNull = false
  for (const literal of literals) {
    if (literal.type === 'null') {
      hasNull = true
      continue
    }
    const location = locate(context, compared, literal)
    // A literal that the type cannot represent matches nothing.
    if (location.at === 'value' && typeof location.value !== 'boolean') members.push(location.value)
  }
  const isMember: Condition =
    members.length === 0
      ? constant(false)
      : {
          kind: 'in',
          left,
          right: addLiteralOf(context.binding, context.option, members, {
            literals: literals.filter((literal) => literal.type !== 'null'),
            isList: true,
            type,
          }),
        }
  return hasNull ? { kind: 'or', of: [isMember, nullCondition(left)] } : isMember
}

function locate(
  { binding, option }: ComparisonContext,
  { type, name }: ComparedValue,
  literal: LiteralNode,
): LiteralLocation {
  const location = locateOperand(binding, type, literal)
  if (typeof location !== 'string') return location
  const { column } = literal
  if (location === 'zone')
    throw new ApiError('AmbiguousDate', {
      target: errorTarget(option, column),
      params: { field: name ?? literal.value, zone: binding.zone },
    })
  if (location === 'nonexistent') throw invalidOptionError(option, column, 'dateDoesNotExist')
  if (location === 'member') throw noSuchMemberError(option, type, literal)
  if (name === null) throw invalidOptionError(option, column, 'operandTypesDiffer')
  const params = { field: name, kind: typePhrase(type), example: example(binding, type) }
  throw invalidOptionError(option, column, message('isOfType', params))
}

function example({ dialect, namespace }: Binding, type: ValueType): string {
  if (type === 'date') return dialect.dateExample
  return typeof type === 'string'
    ? literalExamples[type]
    : `${namespace}.${type.wire}'${Object.keys(type.members)[0] ?? '0'}'`
}

export function noSuchMemberError(option: QueryOption, type: ValueType, { value, column }: LiteralNode): ApiError {
  const members = typeof type === 'string' ? [] : Object.keys(type.members)
  const problem = message('noSuchMember', { name: truncateName(value) })
  return invalidOptionError(option, column, problem, closestMatch(value, members))
}

/** The comparison to use when the literal lies between a value and the next greater one. */
const operatorsBetween: Record<ComparisonOperator, ComparisonOperator | boolean> = {
  eq: false,
  ne: true,
  gt: 'gt',
  ge: 'gt',
  lt: 'le',
  le: 'le',
}

/** The result when the literal lies beyond all values: all values that are not null match, or none. */
const resultsBeyond: Record<'belowAll' | 'aboveAll', Record<ComparisonOperator, 'present' | boolean>> = {
  belowAll: { eq: false, ne: true, gt: 'present', ge: 'present', lt: false, le: false },
  aboveAll: { eq: false, ne: true, gt: false, ge: false, lt: 'present', le: 'present' },
}

const typePhrases: Record<ValueKind, MessageCode> = {
  integer: 'anInteger',
  decimal: 'aNumber',
  seconds: 'aNumber',
  date: 'aDate',
  timestamp: 'aDateTime',
  timeOfDay: 'aTimeOfDay',
  duration: 'aDuration',
  text: 'aString',
  boolean: 'trueOrFalse',
  enum: 'anEnumMember',
}

/** The name of a type in error messages. */
export function typePhrase(type: ValueType): LocalizedMessage {
  return message(typePhrases[kindOfType(type)])
}

const literalExamples: Record<Exclude<ValueKind, 'date' | 'enum'>, string> = {
  integer: '42',
  decimal: '1234.50',
  seconds: '1.5',
  timestamp: '2024-05-01T10:00:00Z',
  timeOfDay: '10:00:00',
  duration: "duration'PT8H'",
  text: "'42'",
  boolean: 'true',
}
