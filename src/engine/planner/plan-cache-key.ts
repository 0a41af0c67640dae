// Plan cache key: a text of everything the SQL of a plan depends on; literal values excluded.
import type { AggregateColumn, ApplyPlan, Step } from './apply/apply-plan.ts'
import type { ExpandPlan, ReadPlan, SetPlan } from './read-plan.ts'
import type {
  Order,
  Condition,
  Join,
  Related,
  Start,
  Value,
  ValueType,
} from './expressions/expression.ts'

/**
 * The cache key of a plan. It consists of names from the model and keywords of the plan, never of text from a
 * request. Company, output names, and skip, top and count of the plan itself are left out: they are parameters, or
 * another statement.
 */
export function shapeOf(plan: ReadPlan): string {
  if (plan.parts.length > 0) return `all(${plan.parts.map(shapeOf).join(')(')})`
  let shape = (plan.apply === null ? startShape(plan.start) : '') + setShape(plan)
  for (const value of plan.beside) shape += ` &${valueShape(value)}`
  return shape
}

function startShape(start: Start | null): string {
  if (start === null) return ''
  const { relation, number, filter } = start
  const from = filter === null ? '' : conditionShape(filter)
  return `${relation.of.table}${number}/${relation.wire}(${from}) ${startShape(start.start)}`
}

function setShape(plan: SetPlan): string {
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

function expandShape(expand: ExpandPlan): string {
  const { relation, number, wants, top, skip, count } = expand
  const page = top === null && skip === 0 ? '' : 'page '
  return ` ${relation.wire}${number}(${wants} ${page}${count ? 'count ' : ''}${setShape(expand)})`
}

function joinShapes(joins: readonly Join[]): string {
  let shape = ''
  for (const { from, relation, number, key } of joins) {
    shape += ` ${from}/${relation.wire}${number}`
    if (key !== undefined) shape += `(${conditionShape(key)})`
  }
  return shape
}

function conditionShape(condition: Condition): string {
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

function soughtShape(sought: Found['sought']): string {
  return sought.kind === 'term'
    ? `?${sought.term.index}`
    : `${sought.kind}(${sought.of.map(soughtShape).join(',')})`
}

function relatedShape(related: Related): string {
  const { filter, joins } = related
  return `${joinShapes([related])}${joinShapes(joins)} ${filter === null ? '' : conditionShape(filter)}`
}

function pairShape(name: string, { left, right }: { left: Value; right: Value }): string {
  return `${name}(${valueShape(left)},${valueShape(right)})`
}

/** An enumeration is identified by its name. */
function typeShape(type: ValueType): string {
  return typeof type === 'string' ? type : type.wire
}

function valueShape(value: Value): string {
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

/** The part of the key for the steps of `$apply`. */
function applyShape({ steps, variants }: ApplyPlan): string {
  const kinds = variants === null ? '' : `${variants.column}:${variants.columns.join(';')}`
  return `${steps.map(stepShape).join('/')} ${kinds} `
}

function stepShape(step: Step): string {
  return `${step.kind}${step.number}(${insideOf(step)})`
}

function insideOf(step: Step): string {
  if (step.kind === 'records') {
    const filter = step.filter === null ? '' : conditionShape(step.filter)
    return `${step.resource.table}${startShape(step.start)}${joinShapes(step.joins)} ${filter}`
  }
  if (step.kind === 'concat') {
    const branches = step.of.map(({ from, order, columns, variantFrom, variant }) => {
      const values = columns.map((value) => (value === null ? '' : valueShape(value)))
      const own = variant === null ? '' : valueShape(variant)
      return `${from} ${values.join(',')} ${orderShape(order)} ${variantFrom}${own}`
    })
    const names = step.columns.map(({ name, type }) => `${name}:${typeShape(type)}`)
    return `${branches.join(';')} ${names.join(',')} ${step.branch} ${step.place} ${step.variant}`
  }
  if (step.kind === 'join') {
    const added = step.adds.map(({ name, value }) => `${name}=${valueShape(value)}`)
    const on = step.on.map(({ left, right }) => `${valueShape(left)}=${valueShape(right)}`)
    const what = `${step.from} ${step.with}${step.isOuter ? ' outer' : ''} ${step.keeps.join(',')}`
    return `${what} ${added.join(',')} ${on.join(',')}`
  }
  if (step.kind === 'whole') {
    const columns = step.columns.map(({ name, type }) => `${name}:${typeShape(type)}`)
    return `${step.from} ${step.groups} ${step.keeps.join(',')} ${columns.join(',')}`
  }
  const taken = `${step.from}${joinShapes(step.joins)} ${step.keeps.join(',')}`
  switch (step.kind) {
    case 'rows': {
      const { adds, filter, page } = step
      const added = adds.map(({ name, value }) => `${name}=${valueShape(value)}`).join(',')
      const cut =
        page === null
          ? ''
          : `${orderShape(page.order)} ${page.top?.index ?? ''} ${page.skip?.index ?? ''}`
      return `${taken} ${added} ${filter === null ? '' : conditionShape(filter)} ${cut}`
    }
    case 'group': {
      const { column = '', columns = [], blanks = [] } = step.levels ?? {}
      return `${taken} ${aggregateShapes(step.aggregates)} ${column}${columns.join(';')} ${blanks.join(',')}`
    }
    case 'totals':
      return `${taken} ${step.within.join(',')} ${aggregateShapes(step.aggregates)}`
    case 'place':
      return `${taken} ${step.within.join(',')} ${orderShape(step.order)} ${step.place}`
    case 'reach': {
      const what = `${step.reaches} ${valueShape(step.value)} ${valueShape(step.amount)}`
      return `${taken} ${step.within.join(',')} ${orderShape(step.order)} ${what}`
    }
  }
  return step satisfies never
}

function aggregateShapes(aggregates: readonly AggregateColumn[]): string {
  return aggregates
    .map(
      ({ name, method, value }) => `${name}=${method} ${value === null ? '' : valueShape(value)}`,
    )
    .join(',')
}

function orderShape(order: readonly Order[]): string {
  return order
    .map(({ value, descending }) => `${valueShape(value)}${descending ? '-' : '+'}`)
    .join(',')
}
