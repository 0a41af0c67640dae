// The shape of `$apply`: all that the SQL of its steps depends on.
import type { AggregateColumn, ApplyPlan, Step } from '#plan/apply-plan.ts'
import type { Order } from '#plan/read-plan.ts'
import { conditionShape, joinShapes, startShape, typeShape, valueShape } from '#plan/shape.ts'

export const applyShape = ({ steps, variants }: ApplyPlan): string => {
  const kinds = variants === null ? '' : `${variants.column}:${variants.columns.join(';')}`
  return `${steps.map(stepShape).join('/')} ${kinds} `
}

const stepShape = (step: Step): string => `${step.kind}${step.number}(${insideOf(step)})`

const insideOf = (step: Step): string => {
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

const aggregateShapes = (aggregates: readonly AggregateColumn[]): string =>
  aggregates
    .map(
      ({ name, method, value }) => `${name}=${method} ${value === null ? '' : valueShape(value)}`,
    )
    .join(',')

const orderShape = (order: readonly Order[]): string =>
  order.map(({ value, descending }) => `${valueShape(value)}${descending ? '-' : '+'}`).join(',')
