// Binding of `topcount`, `bottomsum` and the other top and bottom transformations.
import { unreadable, unsupported } from '../../odata/options/option.ts'
import type { Expression, Ranking, Transformation } from '../../odata/expressions/syntax.ts'
import { phrase } from '../../../errors/messages.ts'
import { columnValue, orderAt, type Column, type Stage } from './apply-stage.ts'
import { carried, type Work } from './apply-work.ts'
import { converted, isNumber, typeOf } from '../expressions/arithmetic.ts'
import { bindValue } from '../expressions/bind-filter.ts'
import { withThese } from './bind-these-aggregates.ts'
import type { Frame } from '../expressions/scope.ts'
import type { LiteralValue, Order } from '../expressions/expression.ts'

type Ranked = Transformation & { readonly kind: Ranking }

/** The remaining rows keep their order (Data Aggregation 4.0, 3.3.1). */
export function bindRanking(
  work: Work,
  before: Stage,
  one: Ranked,
  within: readonly Column[],
): Stage {
  const { stage, frame } = withThese(work, before, [one.amount, one.by], within)
  const bound = bindValue(frame, one.by)
  const isCount = one.kind === 'topcount' || one.kind === 'bottomcount'
  const type = typeOf(bound)
  if (!isCount && (type === null || !isNumber(type)))
    throw unreadable(work.option, one.by.column, phrase('expectedNumber'))
  const value = isCount ? bound : converted(bound, 'decimal')
  const by = work.column(typeOf(value) ?? 'text')
  const count = isCount ? countOf(work, frame, one) : null
  const adds = [{ column: by, name: by.name, value }, ...(count?.adds ?? [])]
  const columns = adds.map(({ column }) => column)
  const next = work.rows(stage, one, { record: frame.record, adds, columns })
  const measured = columnValue(by, next.number)
  const order = [{ value: measured, descending: one.kind.startsWith('top') }, ...orderAt(next)]
  if (count !== null) {
    const { than } = count
    const kept = placed(work, next, { at: one, within, order, operator: 'le', than })
    // A computed count may be null or 0.
    return { ...kept, mayLackGroups: stage.mayLackGroups || count.adds.length > 0 }
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

interface Places {
  readonly at: Transformation
  readonly within: readonly Column[]
  readonly order: readonly Order[]
}

/** Adds the ordinals of the rows in their partitions. */
export function withPlaces(work: Work, stage: Stage, { at, within, order }: Places) {
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
  return { stage: { ...stage, number, columns: [...stage.columns, place] }, place }
}

interface Placing extends Places {
  readonly operator: 'le' | 'gt'
  /** A number, or the column that has it. */
  readonly than: LiteralValue | Column
}

/** The rows of each partition whose ordinal satisfies the comparison. */
export function placed(work: Work, stage: Stage, { operator, than, ...places }: Placing): Stage {
  const { stage: next, place } = withPlaces(work, stage, places)
  const left = columnValue(place, next.number)
  const right = 'kind' in than ? than : columnValue(than, next.number)
  const filter = { kind: 'compare', operator, left, right } as const
  return work.rows(next, places.at, { filter })
}

/**
 * A literal number, or the column of one that is computed from `$these`, which is the same for all rows of a group.
 */
function countOf(work: Work, frame: Frame, one: Ranked) {
  if (frame.these.size === 0) return { than: amountOf(frame, one, 'integer'), adds: [] }
  const value = bindValue(frame, one.amount)
  if (typeOf(value) !== 'integer')
    throw unreadable(work.option, one.amount.column, phrase(amountPhrases[one.kind]))
  const than = work.column('integer')
  return { than, adds: [{ column: than, name: than.name, value }] }
}

/** A literal number: it may not depend on a row. */
function amountOf(frame: Frame, { kind, amount }: Ranked, type: 'integer' | 'decimal') {
  const { column } = amount
  const written = writtenNumber(amount)
  if (written === null) throw unsupported(frame.option, column, phrase('anAmountWorkedOut'))
  const isFit =
    type === 'integer'
      ? /^\d+$/.test(written) && Number(written) > 0
      : !kind.endsWith('percent') || (Number(written) > 0 && Number(written) <= 100)
  if (!isFit) throw unreadable(frame.option, column, phrase(amountPhrases[kind]))
  const literal = { kind: 'literal', type: 'number', value: written, column } as const
  const value = bindValue(frame, literal, type)
  if (value.kind !== 'literal') throw unreadable(frame.option, column, phrase(amountPhrases[kind]))
  return value
}

function writtenNumber(node: Expression): string | null {
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
