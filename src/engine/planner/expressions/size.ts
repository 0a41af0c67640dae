// Expression size: the number of operations in a bound expression, to limit complexity.
import type { Condition, Sought, Value } from './expression.ts'

/** The number of operations in a value. */
export function sizeOf(value: Value): number {
  switch (value.kind) {
    case 'call':
      return 1 + total(value.args.map(sizeOf))
    case 'case':
      return (
        1 + total(value.branches.map((one) => sizeOfCondition(one.condition) + sizeOf(one.value)))
      )
    case 'truth':
      return sizeOfCondition(value.of)
    case 'count':
      return 1 + (value.of.filter === null ? 0 : sizeOfCondition(value.of.filter))
    case 'aggregate':
      return 1 + (value.value === null ? 0 : sizeOf(value.value))
  }
  return 0
}

function sizeOfCondition(condition: Condition): number {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return 1 + total(condition.of.map(sizeOfCondition))
    case 'not':
      return 1 + sizeOfCondition(condition.of)
    case 'compare':
    case 'text':
      return 1 + sizeOf(condition.left) + sizeOf(condition.right)
    case 'found':
      return sizeOfSought(condition.sought)
    case 'in':
      return 1 + sizeOf(condition.left)
    case 'is':
      return 1 + sizeOf(condition.value)
    case 'any':
      return 1 + (condition.of.filter === null ? 0 : sizeOfCondition(condition.of.filter))
  }
  return 1
}

function sizeOfSought(sought: Sought): number {
  return 1 + (sought.kind === 'term' ? 0 : total(sought.of.map(sizeOfSought)))
}

function total(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0)
}
