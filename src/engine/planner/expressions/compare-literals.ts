// Constant folding: comparison of two literals, like the `1 eq 1` of query builders.
import type { Literal, LiteralType } from '../../odata/expressions/syntax.ts'
import { compareDigits, readDigits } from './digits.ts'
import type { Comparison } from './expression.ts'

/** The result; undefined for literals of different types, and for types whose values have several spellings. */
export function holdsBetween(
  operator: Comparison,
  left: Literal,
  right: Literal,
): boolean | undefined {
  // Only equality can be true for null (OData 4.01 part 2, 5.1.1.1).
  if (left.type === 'null' || right.type === 'null') {
    const isEqual = left.type === right.type
    return operator === 'eq' ? isEqual : operator === 'ne' && !isEqual
  }
  const order = orderOf(left, right)
  return order === undefined ? undefined : tests[operator](order)
}

const tests: Record<Comparison, (order: number) => boolean> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
}

const spelledInManyWays: ReadonlySet<LiteralType> = new Set([
  'dateTime',
  'timeOfDay',
  'duration',
  'enum',
])

function orderOf(left: Literal, right: Literal): number | undefined {
  if (left.type !== right.type || spelledInManyWays.has(left.type)) return undefined
  if (left.type === 'number') return compareDigits(readDigits(left.value), readDigits(right.value))
  return left.value < right.value ? -1 : left.value > right.value ? 1 : 0
}
