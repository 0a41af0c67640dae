// Literal binding: the value of a literal, by its own type or the type that is expected.
import { ApiError } from '../../../errors/api-error.ts'
import { findEnumeration } from '../../model/schema.ts'
import { errorTarget, invalidOptionError, unsupportedError } from '../../odata/options/option.ts'
import { typeInString } from '../../odata/lexer/literals.ts'
import { isLiteral, type Expression, type LiteralNode, type LiteralType } from '../../odata/expressions/syntax.ts'
import { addLiteral, addLiteralOf } from '../binding.ts'
import type { Value, ValueType } from './bound-expression.ts'
import { noSuchMemberError } from './compare-value.ts'
import { locateLiteral } from './literal-location.ts'
import type { NameScope } from './scope.ts'
import { isNumber, nullValue } from './typed-value.ts'

/** `expectedType` is the type for literals that fit several. */
export function bindLiteral(scope: NameScope, node: LiteralNode, expectedType: ValueType | undefined): Value {
  if (node.type === 'null') return nullValue
  const { binding, option } = scope
  const own = enumerationOf(scope, node, expectedType) ?? valueTypeOfLiteral(node)
  if (own === undefined) throw unsupportedError(option, node.column, 'literalOfUnusedType')
  const areNumbers = expectedType !== undefined && isNumber(own) && isNumber(expectedType)
  // An integer fits every number type; decimal places are never cut off.
  const type = areNumbers && (own === 'integer' || expectedType !== 'integer') ? expectedType : own
  const form = typeof type === 'object' ? 'enum' : node.type
  const location = locateLiteral(type, form, node.value, binding.zone)
  if (location === 'member') throw noSuchMemberError(option, type, node)
  if (location === 'nonexistent') throw invalidOptionError(option, node.column, 'dateDoesNotExist')
  if (typeof location === 'string') throw invalidOptionError(option, node.column, 'operandTypesDiffer')
  if (location.at === 'value')
    // The type of other literals follows from their text, and decides on functions and operators.
    return type === 'text' && node.type === 'text'
      ? addLiteralOf(binding, option, location.value, { literals: [node], isList: false, type })
      : addLiteral(binding, location.value, type)
  if (location.at === 'between') throw invalidOptionError(option, node.column, 'tooManyPlaces')
  throw new ApiError('NumberOutOfRange', {
    target: errorTarget(option, node.column),
    params: { field: node.value.slice(0, 40), min: -(10 ** 11), max: 10 ** 11 },
  })
}

/**
 * Where no string is expected, the literal that a string contains: `SistEndretDato add 'PT8H'`, `'1' eq 1` (OData 4.01 part 2,
 * 5.1.1.14). Any other expression stays as it is.
 */
export function withoutQuotes<Node extends Expression>({ binding }: NameScope, node: Node): Node | LiteralNode {
  if (!isLiteral(node) || node.type !== 'text' || !binding.dialect.coercesText) return node
  const type = typeInString(node.value)
  if (type === undefined || type === 'null') return node
  return { ...node, type, value: type === 'boolean' ? node.value.toLowerCase() : node.value }
}

/** A string may omit the enumeration's name where the type is known. */
function enumerationOf(
  { binding, record }: NameScope,
  { type, enumeration }: LiteralNode,
  expectedType: ValueType | undefined,
): ValueType | undefined {
  const isKnown = typeof expectedType === 'object'
  if (type === 'text') return isKnown && binding.dialect.coercesText ? expectedType : undefined
  if (type !== 'enum') return undefined
  if (enumeration === undefined) return isKnown ? expectedType : undefined
  return findEnumeration(record.view.schema, enumeration)
}

/** The type of a literal on its own; undefined for types that no field has. */
function valueTypeOfLiteral({ type, value }: LiteralNode): ValueType | undefined {
  return type === 'number' ? (/^[+-]?\d+$/.test(value) ? 'integer' : 'decimal') : valueTypeByLiteralType[type]
}

const valueTypeByLiteralType: Partial<Record<LiteralType, ValueType>> = {
  text: 'text',
  boolean: 'boolean',
  date: 'date',
  dateTime: 'timestamp',
  timeOfDay: 'timeOfDay',
  duration: 'duration',
}
