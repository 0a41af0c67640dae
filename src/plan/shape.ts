// The shape of a plan: all that its SQL depends on, as a short text. Plans that differ in values share one.
import { applyShape } from '#plan/apply-shape.ts'
import type {
  Condition,
  ExpandPlan,
  Join,
  ReadPlan,
  Related,
  SetPlan,
  Start,
  Value,
  ValueType,
} from '#plan/read-plan.ts'

/**
 * A cache key. It is made of names from the model and of words of the plan alone, never of what a caller
 * wrote. Company, names of the answer, and skip, top and count of the plan itself are no part of it: they are
 * values, or another statement.
 */
export const shapeOf = (plan: ReadPlan): string => {
  if (plan.parts.length > 0) return `all(${plan.parts.map(shapeOf).join(')(')})`
  let shape = (plan.apply === null ? startShape(plan.start) : '') + setShape(plan)
  for (const value of plan.beside) shape += ` &${valueShape(value)}`
  return shape
}

export const startShape = (start: Start | null): string => {
  if (start === null) return ''
  const { relation, number, filter } = start
  const from = filter === null ? '' : conditionShape(filter)
  return `${relation.of.table}${number}/${relation.wire}(${from}) ${startShape(start.start)}`
}

const setShape = (plan: SetPlan): string => {
  let shape = plan.apply === null ? '' : applyShape(plan.apply)
  shape += `${plan.resource.table} `
  for (const { field } of plan.select) shape += `${field},`
  shape += ' '
  for (const { value, descending } of plan.orderBy)
    shape += descending ? `${valueShape(value)}-,` : `${valueShape(value)}+,`
  if (plan.filter !== null) shape += ` ${conditionShape(plan.filter)}`
  for (const { value } of plan.computed) shape += ` =${valueShape(value)}`
  shape += joinShapes(plan.joins)
  for (const expand of plan.expand) shape += expandShape(expand)
  return shape
}

const expandShape = (expand: ExpandPlan): string => {
  const { relation, number, wants, top, skip, count } = expand
  const page = top === null && skip === 0 ? '' : 'page '
  return ` ${relation.wire}${number}(${wants} ${page}${count ? 'count ' : ''}${setShape(expand)})`
}

export const joinShapes = (joins: readonly Join[]): string => {
  let shape = ''
  for (const { from, relation, number, key } of joins) {
    shape += ` ${from}/${relation.wire}${number}`
    if (key !== undefined) shape += `(${conditionShape(key)})`
  }
  return shape
}

export const conditionShape = (condition: Condition): string => {
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
    case 'found':
      return `found(${valueShape(condition.text)},${soughtShape(condition.sought)})`
    case 'is':
      return `is(${valueShape(condition.value)},${condition.truth})`
    case 'any':
      return `any(${relatedShape(condition.of)})`
  }
  let shape = `${condition.kind}(`
  for (const part of condition.of) shape += `${conditionShape(part)},`
  return `${shape})`
}

type Found = Extract<Condition, { readonly kind: 'found' }>

const soughtShape = (sought: Found['sought']): string =>
  sought.kind === 'term'
    ? `?${sought.term.index}`
    : `${sought.kind}(${sought.of.map(soughtShape).join(',')})`

const relatedShape = (related: Related): string => {
  const { filter, joins } = related
  return `${joinShapes([related])}${joinShapes(joins)} ${filter === null ? '' : conditionShape(filter)}`
}

const pairShape = (name: string, { left, right }: { left: Value; right: Value }): string =>
  `${name}(${valueShape(left)},${valueShape(right)})`

/** An enumeration is printed by its members. */
export const typeShape = (type: ValueType): string => (typeof type === 'string' ? type : type.wire)

export const valueShape = (value: Value): string => {
  switch (value.kind) {
    case 'field':
      return value.of === 0 ? value.field : `${value.of}.${value.field}`
    case 'literal':
      return `?${value.index}:${typeShape(value.type)}`
    case 'null':
      return 'null'
    case 'truth':
      return `truth(${conditionShape(value.of)})`
    case 'count':
      return `count(${relatedShape(value.of)})`
    case 'aggregate': {
      const inside = value.value === null ? '' : valueShape(value.value)
      return `${value.method}(${relatedShape(value.of)},${inside}):${typeShape(value.type)}`
    }
    case 'call': {
      let shape = `${value.name}:${typeShape(value.type)}(`
      for (const arg of value.args) shape += `${valueShape(arg)},`
      return `${shape})`
    }
  }
  let shape = 'case('
  for (const one of value.branches)
    shape += `${conditionShape(one.condition)}:${valueShape(one.value)},`
  return `${shape})`
}
