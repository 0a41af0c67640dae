// The shape of a plan: all that its SQL depends on, as a short text. Plans that differ in values share one.
import type { Condition, Operand, ReadPlan } from '#plan/read-plan.ts'

/**
 * A cache key. It is made of names from the model and of words of the plan alone, never of what a caller
 * wrote. Company, skip, top and count are no part of it: they are values, or another statement.
 */
export const shapeOf = (plan: ReadPlan): string => {
  let shape = `${plan.resource.table} ${plan.dates} `
  for (const { field, as } of plan.select) shape += `${field}=${as},`
  shape += ' '
  for (const { field, descending } of plan.orderBy)
    shape += descending ? `${field}-,` : `${field}+,`
  return plan.filter === null ? shape : `${shape} ${conditionShape(plan.filter)}`
}

const conditionShape = (condition: Condition): string => {
  switch (condition.kind) {
    case 'constant':
      return String(condition.is)
    case 'not':
      return `not(${conditionShape(condition.of)})`
    case 'compare':
      return pairShape(condition.operator, condition)
    case 'in':
      return pairShape('in', condition)
    case 'text':
      return pairShape(condition.test, condition)
  }
  let shape = `${condition.kind}(`
  for (const part of condition.of) shape += `${conditionShape(part)},`
  return `${shape})`
}

const pairShape = (name: string, { left, right }: { left: Operand; right: Operand }): string =>
  `${name}(${operandShape(left)},${operandShape(right)})`

const operandShape = (operand: Operand): string => {
  if (operand.kind === 'field') return operand.field
  return operand.kind === 'null' ? 'null' : `?${operand.index}:${operand.type}`
}
