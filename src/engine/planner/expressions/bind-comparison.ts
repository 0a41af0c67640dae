// Comparison binding: comparison operators and `in`, between values, literals, records and complex values.
import type { ApiError } from '../../../errors/api-error.ts'
import { message, type MessageCode, type MessageParams } from '../../../errors/messages.ts'
import { invalidOptionError } from '../../odata/options/option.ts'
import { isLiteral, type Expression, type ListNode, type LiteralNode } from '../../odata/expressions/syntax.ts'
import { toCommonType, typeOf } from './arithmetic.ts'
import type { ConditionBinder, ValueBinder } from './bind-value.ts'
import { ValueComparer, type ComparedValue } from './compare-value.ts'
import { compare, constant, negateUnless } from './conditions.ts'
import { bindComplexEquals, bindComplexIsNull, bindEqualsObject } from './compare-complex.ts'
import { compareLiterals } from './compare-literals.ts'
import { fieldValue } from './field-value.ts'
import { isCondition, operandAt } from './filter-operators.ts'
import { resolveName, joinRecord, type NameScope, type ResolvedName } from './scope.ts'
import { fieldsNamed } from './resource-fields.ts'
import type { ComparisonOperator, Condition } from './bound-expression.ts'

export class ComparisonBinder {
  readonly #scope: NameScope
  readonly #values: ValueBinder
  readonly #conditions: Pick<ConditionBinder, 'bindCondition'>
  readonly #comparer: ValueComparer

  constructor(scope: NameScope, values: ValueBinder, conditions: Pick<ConditionBinder, 'bindCondition'>) {
    this.#scope = scope
    this.#values = values
    this.#conditions = conditions
    this.#comparer = new ValueComparer(scope.binding, scope.option)
  }

  bindIn(left: Expression, right: Expression): Condition {
    if (right.kind !== 'list' && right.kind !== 'array') throw this.#invalid(right.column, 'expectedList')
    const compared = this.#bindCompared(left)
    if (compared === null) return constant(literalsOf(right).some(({ type }) => type === 'null'))
    return this.#comparer.isIn(compared, literalsOf(right))
  }

  /** The value that is compared with literals; null where it is the null literal. */
  #bindCompared(node: Expression): ComparedValue | null {
    const resolved = resolveNode(this.#scope, node)
    if (resolved?.kind === 'field')
      return { value: resolved.value, type: resolved.field.type, name: resolved.field.wire }
    const value = this.#values.bind(node)
    const type = typeOf(value)
    return type === null ? null : { value, type, name: null }
  }

  bindComparison(operator: ComparisonOperator, one: Expression, other: Expression): Condition {
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
    const resolved = resolveNode(this.#scope, one)
    if (resolved?.kind !== 'complex') return undefined
    if (other.kind === 'object') return bindEqualsObject(this.#scope, this.#comparer, resolved, other)
    const another = resolveNode(this.#scope, other)
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
    const resolved = resolveNode(this.#scope, operandAt(node.operands, 0))
    if (resolved?.kind === 'field' && resolved.field.type !== 'boolean')
      throw this.#invalid(node.column, 'notPrecedence')
  }

  #compareWithLiteral(operator: ComparisonOperator, node: Expression, literal: LiteralNode): Condition {
    if (isCondition(node)) return this.#compareCondition(operator, node, literal)
    if (literal.type === 'null') {
      const resolved = resolveNode(this.#scope, node)
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
      return negateUnless(operator === 'eq', this.#conditions.bindCondition(condition, other.value === 'true'))
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

  #typesDiffer(left: Expression, right: Expression): ApiError {
    const [one, other] = [resolveNode(this.#scope, left), resolveNode(this.#scope, right)]
    if (one?.kind !== 'field' || other?.kind !== 'field') return this.#invalid(right.column, 'operandTypesDiffer')
    const params = { one: one.field.wire, other: other.field.wire }
    return this.#invalid(right.column, 'fieldTypesDiffer', params)
  }

  #invalid(column: number, problem: MessageCode, params?: MessageParams): ApiError {
    return invalidOptionError(this.#scope.option, column, message(problem, params))
  }
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

/** Only equality can be true for null. */
function compareWithNull(operator: ComparisonOperator, literal: LiteralNode): boolean {
  return operator === 'eq' ? literal.type === 'null' : operator === 'ne' && literal.type !== 'null'
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

function literalsOf({ items }: Pick<ListNode, 'items'>): LiteralNode[] {
  return items.filter(isLiteral)
}
