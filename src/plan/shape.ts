// The shape of a plan: all that its SQL depends on, as a short text. Plans that differ in values share one.
import type { Condition, ExpandPlan, Operand, ReadPlan, SetPlan, Start } from '#plan/read-plan.ts'

/**
 * A cache key. It is made of names from the model and of words of the plan alone, never of what a caller
 * wrote. Company, names of the answer, and skip, top and count of the plan itself are no part of it: they are
 * values, or another statement.
 */
export const shapeOf = (plan: ReadPlan): string => {
  const beside = plan.beside.length === 0 ? '' : ` beside ${plan.beside.join()}`
  return startShape(plan.start) + setShape(plan) + beside
}

const startShape = (start: Start | null): string => {
  if (start === null) return ''
  const { relation, filter } = start
  const from = filter === null ? '' : conditionShape(filter)
  return `${relation.of.table}/${relation.wire}(${from}) ${startShape(start.start)}`
}

const setShape = (plan: SetPlan): string => {
  let shape = `${plan.resource.table} `
  for (const { field } of plan.select) shape += `${field},`
  shape += ' '
  for (const { field, descending } of plan.orderBy)
    shape += descending ? `${field}-,` : `${field}+,`
  if (plan.filter !== null) shape += ` ${conditionShape(plan.filter)}`
  for (const expand of plan.expand) shape += expandShape(expand)
  return shape
}

const expandShape = (expand: ExpandPlan): string => {
  const { relation, wants, top, skip, count } = expand
  const page = top === null && skip === 0 ? '' : 'page '
  return ` ${relation.wire}(${wants} ${page}${count ? 'count ' : ''}${setShape(expand)})`
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
