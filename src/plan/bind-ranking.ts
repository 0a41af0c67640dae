// `topcount`, `bottomsum` and their like: the first rows in the order of a value, up to where they suffice.
import { applyOption, unreadable, unsupported } from '#odata/option.ts'
import type { Expression, Ranking, Transformation } from '#odata/syntax.ts'
import { phrase } from '#phrases.ts'
import { columnValue, frameAt, orderAt, type Column, type Stage } from '#plan/apply-stage.ts'
import { carried, type Work } from '#plan/apply-work.ts'
import { converted, isNumber, typeOf } from '#plan/arithmetic.ts'
import { bindValue } from '#plan/bind-filter.ts'
import type { Frame } from '#plan/frame.ts'
import type { LiteralValue, Order, Value } from '#plan/read-plan.ts'

type Ranked = Transformation & { readonly kind: Ranking }

/** What is left stays in the order that it had (Data Aggregation 4.0, 3.3.1). */
export const bindRanking = (
  work: Work,
  stage: Stage,
  one: Ranked,
  within: readonly Column[],
): Stage => {
  const frame = frameAt(work.binding, stage)
  const bound = bindValue(frame, one.by)
  const isCount = one.kind === 'topcount' || one.kind === 'bottomcount'
  const type = typeOf(bound)
  if (!isCount && (type === null || !isNumber(type)))
    throw unreadable(applyOption, one.by.column, phrase('expectedNumber'))
  const value = isCount ? bound : converted(bound, 'decimal')
  const by = work.column(typeOf(value) ?? 'text')
  const adds = [{ name: by.name, value }]
  const next = work.rows(stage, one, { record: frame.record, adds, columns: [by] })
  const measured = columnValue(by, next.number)
  const order = [{ value: measured, descending: one.kind.startsWith('top') }, ...orderAt(next)]
  if (isCount) {
    const literal = amountOf(frame, one, 'integer')
    const kept = placed(work, next, { at: one, within, order, operator: 'le', literal })
    return { ...kept, mayLackGroups: stage.mayLackGroups }
  }
  const reaches = one.kind.endsWith('percent') ? 'percent' : 'sum'
  const amount = amountOf(frame, one, 'decimal')
  const number = work.number(one.column)
  work.steps.push({
    kind: 'reach',
    number,
    from: next.number,
    joins: [],
    keeps: carried(next),
    within: within.map(({ name }) => name),
    order,
    value: measured,
    reaches,
    amount,
  })
  return { ...next, number, mayLackGroups: true }
}

interface Placing {
  readonly at: Transformation
  readonly within: readonly Column[]
  readonly order: readonly Order[]
  readonly operator: 'le' | 'gt'
  readonly literal: LiteralValue
}

/** The rows of each group whose place is so. */
export const placed = (
  work: Work,
  stage: Stage,
  { at, within, order, operator, literal }: Placing,
): Stage => {
  const place = work.column('integer')
  const number = work.number(at.column)
  work.steps.push({
    kind: 'place',
    number,
    from: stage.number,
    joins: [],
    keeps: carried(stage),
    within: within.map(({ name }) => name),
    order,
    place: place.name,
  })
  const left: Value = columnValue(place, number)
  const next = { ...stage, number, columns: [...stage.columns, place] }
  return work.rows(next, at, { filter: { kind: 'compare', operator, left, right: literal } })
}

/** A number that stands there: it may not depend on a row. */
const amountOf = (frame: Frame, { kind, amount }: Ranked, type: 'integer' | 'decimal') => {
  const { column } = amount
  const written = writtenNumber(amount)
  if (written === null) throw unsupported(applyOption, column, phrase('anAmountWorkedOut'))
  const isFit =
    type === 'integer'
      ? /^\d+$/.test(written) && Number(written) > 0
      : !kind.endsWith('percent') || (Number(written) > 0 && Number(written) <= 100)
  if (!isFit) throw unreadable(applyOption, column, phrase(amountPhrases[kind]))
  const literal = { kind: 'literal', type: 'number', value: written, column } as const
  const value = bindValue(frame, literal, type)
  if (value.kind !== 'literal') throw unreadable(applyOption, column, phrase(amountPhrases[kind]))
  return value
}

const writtenNumber = (node: Expression): string | null => {
  if (node.kind === 'literal' && node.type === 'number') return node.value
  if (node.kind !== 'operation' || node.operator !== '-') return null
  const [of] = node.operands
  return of?.kind === 'literal' && of.type === 'number' ? `-${of.value}` : null
}

const amountPhrases = {
  topcount: 'expectedPositiveCount',
  bottomcount: 'expectedPositiveCount',
  topsum: 'expectedNumber',
  bottomsum: 'expectedNumber',
  toppercent: 'expectedPercent',
  bottompercent: 'expectedPercent',
} as const
