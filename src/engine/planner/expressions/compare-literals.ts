// Constant folding: comparison of two literals, like the `1 eq 1` of query builders.
import type { LiteralNode, LiteralType } from '../../odata/expressions/syntax.ts'
import { compareDigits, parseDigits } from '../../../lib/decimal-digits.ts'
import type { ComparisonOperator } from './bound-expression.ts'

/** The result; undefined for literals of different types, and for types whose values have several spellings. */
export function compareLiterals(
  operator: ComparisonOperator,
  left: LiteralNode,
  right: LiteralNode,
): boolean | undefined {
  if (left.type === 'null') return compareWithNull(operator, right)
  if (right.type === 'null') return compareWithNull(operator, left)
  // NaN equals nothing, not even itself (OData 4.01 part 2, 5.1.1.1).
  if (left.type === 'number' && right.type === 'number' && [left.value, right.value].includes('NaN'))
    return operator === 'ne'
  const order = compareOrder(left, right)
  return order === undefined ? undefined : operatorTests[operator](order)
}

/** Only equality can be true for null (OData 4.01 part 2, 5.1.1.1). */
export function compareWithNull(operator: ComparisonOperator, { type }: LiteralNode): boolean {
  return operator === 'eq' ? type === 'null' : operator === 'ne' && type !== 'null'
}

const operatorTests: Record<ComparisonOperator, (order: number) => boolean> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
}

const typesWithManySpellings: ReadonlySet<LiteralType> = new Set(['dateTime', 'timeOfDay', 'duration', 'enum'])

function compareOrder(left: LiteralNode, right: LiteralNode): number | undefined {
  if (left.type !== right.type || typesWithManySpellings.has(left.type)) return undefined
  if (left.type === 'number') return compareNumbers(left.value, right.value)
  return left.value < right.value ? -1 : left.value > right.value ? 1 : 0
}

function compareNumbers(left: string, right: string): number {
  const order = infinityOf(left) - infinityOf(right)
  return order !== 0 || infinityOf(left) !== 0 ? order : compareDigits(parseDigits(left), parseDigits(right))
}

/** 1 for infinity, -1 for negative infinity, 0 for any other number. */
function infinityOf(number: string): number {
  if (!number.endsWith('INF')) return 0
  return number.startsWith('-') ? -1 : 1
}
