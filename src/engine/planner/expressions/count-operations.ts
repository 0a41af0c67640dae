// Expression size: the number of operations in a bound expression, to limit complexity.

/** Counts in a value or a condition, and in every part of it but those of the model; those of a column count for it. */
export function countOperations(expression: object): number {
  const isOperation = 'kind' in expression && !operandKinds.has(expression.kind)
  const ofColumn = 'operations' in expression ? Number(expression.operations) : 0
  return Object.values(expression)
    .filter(isPart)
    .reduce((sum, part) => sum + countOperations(part), isOperation ? 1 : ofColumn)
}

/** A condition in place of a value counts once. */
const operandKinds: ReadonlySet<unknown> = new Set(['field', 'literal', 'null', 'condition'])

function isPart(member: unknown): member is object {
  return typeof member === 'object' && member !== null && !('wire' in member)
}
