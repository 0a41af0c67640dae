// Expression size: the number of operations in a bound expression, to limit complexity.
import type { Condition, SearchCondition, Value } from './bound-expression.ts'

export function countOperations(value: Value): number {
  switch (value.kind) {
    case 'call':
      return 1 + sumOf(value.args.map(countOperations))
    case 'case':
      return (
        1 + sumOf(value.branches.map((one) => countConditionOperations(one.condition) + countOperations(one.value)))
      )
    case 'condition':
      return countConditionOperations(value.of)
    case 'count':
      return 1 + (value.of.filter === null ? 0 : countConditionOperations(value.of.filter))
    case 'aggregate':
      return 1 + (value.value === null ? 0 : countOperations(value.value))
  }
  return 0
}

function countConditionOperations(condition: Condition): number {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return 1 + sumOf(condition.of.map(countConditionOperations))
    case 'not':
      return 1 + countConditionOperations(condition.of)
    case 'compare':
    case 'text':
      return 1 + countOperations(condition.left) + countOperations(condition.right)
    case 'search':
      return countSearchOperations(condition.terms)
    case 'in':
      return 1 + countOperations(condition.left)
    case 'is':
      return 1 + countOperations(condition.value)
    case 'any':
      return 1 + (condition.of.filter === null ? 0 : countConditionOperations(condition.of.filter))
  }
  return 1
}

function countSearchOperations(terms: SearchCondition): number {
  return 1 + (terms.kind === 'term' ? 0 : sumOf(terms.of.map(countSearchOperations)))
}

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0)
}
