// Comparison binding: comparison operators and `in`, between values, literals, records and complex values.
import type { ApiError } from '../../../errors/api-error.ts'
import { isLiteral, type Expression, type ListNode, type LiteralNode } from '../../odata/expressions/syntax.ts'
import { toCommonType } from './arithmetic.ts'
import { withoutQuotes } from './bind-literal.ts'
import { bindBooleanValue, bindPair, bindValue } from './bind-value.ts'
import { compareWithLiteral, compareWithLiterals, type ComparedValue } from './compare-value.ts'
import { compare, constant, negateUnless } from './conditions.ts'
import { bindComplexEquals, bindComplexIsNull, bindEqualsObject } from './compare-complex.ts'
import { compareLiterals, compareWithNull } from './compare-literals.ts'
import { fieldValue } from './field-value.ts'
import { isCondition, operandAt } from './filter-operators.ts'
import { invalidExpressionError, joinRecord, resolveName, type NameScope, type ResolvedName } from './scope.ts'
import { fieldsNamed } from './resource-fields.ts'
import type { ComparisonOperator, Condition } from './bound-expression.ts'
import { typeOf } from './typed-value.ts'

/** `left in right`. Throws the error of the option where the right side is no list, or has a value of another type. */
export function bindIn(scope: NameScope, left: Expression, right: Expression): Condition {
  if (right.kind !== 'list' && right.kind !== 'array') throw invalidExpressionError(scope, right.column, 'expectedList')
  const compared = bindCompared(scope, left)
  if (compared === null) return constant(literalsOf(right).some(({ type }) => type === 'null'))
  return compareWithLiterals(scope, compared, literalsOf(right))
}

/** The value that is compared with literals; null where it is the null literal. */
function bindCompared(scope: NameScope, node: Expression): ComparedValue | null {
  const resolved = resolveNode(scope, node)
  if (resolved?.kind === 'field') return { value: resolved.value, type: resolved.field.type, name: resolved.field.wire }
  const value = bindValue(scope, node)
  const type = typeOf(value)
  return type === null ? null : { value, type, name: null }
}

/** Two literals are compared at once. Throws the error of the option for types that cannot be compared. */
export function bindComparison(
  scope: NameScope,
  operator: ComparisonOperator,
  one: Expression,
  other: Expression,
): Condition {
  let [left, right] = [foldMinus(one), foldMinus(other)]
  if (isLiteral(left) && isLiteral(right)) {
    if (left.type !== right.type) [left, right] = [withoutQuotes(scope, left), withoutQuotes(scope, right)]
    const holds = compareLiterals(operator, left, right)
    if (holds !== undefined) return constant(holds)
    if (left.type !== right.type) throw invalidExpressionError(scope, right.column, 'operandTypesDiffer')
  } else if (isLiteral(right)) return compareToLiteral(scope, operator, left, right)
  else if (isLiteral(left)) return compareToLiteral(scope, swappedOperators[operator], right, left)
  const equality = bindComplexEquality(scope, left, right) ?? bindComplexEquality(scope, right, left)
  if (equality !== undefined) return requireEquality(scope, operator, equality, right)
  for (const side of [left, right]) rejectNotBeforeComparison(scope, side)
  const values = bindPair(scope, left, right)
  const [first, second] = toCommonType(values) ?? []
  if (first === undefined || second === undefined) throw typesDifferError(scope, left, right)
  return compare(operator, first, second)
}

/** Equality of two complex values; undefined where the first is not complex. */
function bindComplexEquality(scope: NameScope, one: Expression, other: Expression): Condition | undefined {
  const resolved = resolveNode(scope, one)
  if (resolved?.kind !== 'complex') return undefined
  if (other.kind === 'object') return bindEqualsObject(scope, resolved, other)
  const another = resolveNode(scope, other)
  if (another?.kind !== 'complex') throw invalidExpressionError(scope, other.column, 'operandTypesDiffer')
  return bindComplexEquals(scope, [resolved, another], other)
}

/** Complex values can be compared for equality only. */
function requireEquality(
  scope: NameScope,
  operator: ComparisonOperator,
  condition: Condition,
  { column }: Expression,
): Condition {
  if (operator !== 'eq' && operator !== 'ne') throw invalidExpressionError(scope, column, 'complexValueNotOrdered')
  return negateUnless(operator === 'eq', condition)
}

/** `not name eq …` means `(not name) eq …`; where the name is not boolean, the caller meant something else. */
function rejectNotBeforeComparison(scope: NameScope, node: Expression): void {
  if (node.kind !== 'operation' || node.operator !== 'not') return
  const resolved = resolveNode(scope, operandAt(node.operands, 0))
  if (resolved?.kind === 'field' && resolved.field.type !== 'boolean')
    throw invalidExpressionError(scope, node.column, 'notPrecedence')
}

function compareToLiteral(
  scope: NameScope,
  operator: ComparisonOperator,
  node: Expression,
  literal: LiteralNode,
): Condition {
  if (isCondition(node)) return compareCondition(scope, operator, node, withoutQuotes(scope, literal))
  if (literal.type === 'null') {
    const resolved = resolveNode(scope, node)
    if (resolved?.kind === 'complex')
      return requireEquality(scope, operator, bindComplexIsNull(scope, resolved, node), literal)
    const keyField = relatedKeyField(scope, resolved, node)
    if (keyField !== undefined) return compareWithLiteral(scope, operator, keyField, literal)
  }
  const compared = bindCompared(scope, node)
  if (compared === null) return constant(compareWithNull(operator, literal))
  return compareWithLiteral(scope, operator, compared, literal)
}

/** `startswith(name,'x') eq true`, the syntax of OData 2 clients. */
function compareCondition(
  scope: NameScope,
  operator: ComparisonOperator,
  condition: Expression,
  other: LiteralNode,
): Condition {
  if (other.type !== 'boolean' && other.type !== 'null')
    throw condition.kind === 'operation' && condition.operator === 'not'
      ? invalidExpressionError(scope, condition.column, 'notPrecedence')
      : invalidExpressionError(scope, other.column, 'booleanComparison')
  if (other.type === 'boolean' && (operator === 'eq' || operator === 'ne'))
    // `ne` is true for null, which equals neither value.
    return negateUnless(operator === 'eq', scope.binder.bindCondition(scope, condition, other.value === 'true'))
  const value = bindBooleanValue(scope, condition)
  return compareWithLiteral(scope, operator, { value, type: 'boolean', name: null }, other)
}

/** Comparison of a single related record with null (4.01, 5.1.1.1.1): its key is null where there is no record. */
function relatedKeyField(
  scope: NameScope,
  resolved: ResolvedName | undefined,
  node: Expression,
): ComparedValue | undefined {
  if (resolved?.kind !== 'relation' || resolved.relation.isMany) return undefined
  const { relation } = resolved
  const record = joinRecord(scope, resolved.from, relation, node)
  const [field] = fieldsNamed(relation.to, relation.to.key)
  if (field === undefined) throw new Error('a resource without a key')
  return { value: fieldValue(record, field), type: field.type, name: field.wire }
}

function typesDifferError(scope: NameScope, left: Expression, right: Expression): ApiError {
  const [one, other] = [resolveNode(scope, left), resolveNode(scope, right)]
  if (one?.kind !== 'field' || other?.kind !== 'field')
    return invalidExpressionError(scope, right.column, 'operandTypesDiffer')
  const params = { one: one.field.wire, other: other.field.wire }
  return invalidExpressionError(scope, right.column, 'fieldTypesDiffer', params)
}

/** What a name or a path refers to; undefined for any other expression. */
export function resolveNode(scope: NameScope, node: Expression): ResolvedName | undefined {
  if (node.kind === 'name') return resolveName(scope, [node])
  return node.kind === 'path' ? resolveName(scope, node.names) : undefined
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

/** `-INF` and `-(5)` are literals too. */
export function foldMinus(node: Expression): Expression {
  if (node.kind !== 'operation' || node.operator !== '-') return node
  const of = foldMinus(operandAt(node.operands, 0))
  if (!isLiteral(of) || of.type !== 'number') return node
  const value = of.value.startsWith('-') ? of.value.slice(1) : `-${of.value.replace('+', '')}`
  return { ...of, value, column: node.column }
}

function literalsOf({ items }: Pick<ListNode, 'items'>): LiteralNode[] {
  return items.filter(isLiteral)
}
