// Binding of `$these`: aggregates over all rows of the group (Data Aggregation 4.0, 3.6.1).
import { innerOf } from '../../odata/expressions/sub-expressions.ts'
import { unsupported } from '../../odata/options/option.ts'
import type { AggregatedMany, Count, Expression } from '../../odata/expressions/syntax.ts'
import { phrase } from '../../../errors/messages.ts'
import { columnValue, frameAt, type Column, type Stage } from './apply-stage.ts'
import { carried, type Work } from './apply-work.ts'
import { addsRelated, bindAggregated, type Bound } from './bind-aggregated.ts'
import { bindValue } from '../expressions/bind-filter.ts'
import type { Frame, Spoken } from '../expressions/scope.ts'
import type { Value } from '../expressions/expression.ts'

export interface Prepared {
  readonly stage: Stage
  /** The scope of the expressions, with the values of their `$these` aggregates. */
  readonly frame: Frame & { readonly record: Spoken }
}

/** Adds a column for each `$these` aggregate in the expressions, computed once per group. */
export function withThese(
  work: Work,
  stage: Stage,
  expressions: readonly Expression[],
  within: readonly Column[],
): Prepared {
  const frame = frameAt(work.binding, stage)
  const asked = expressions.flatMap(theseIn)
  const [first] = asked
  if (first === undefined) return { stage, frame }
  const told = asked.map((node) => {
    const bound = boundOf(frame, node)
    return { node, bound, column: work.column(bound.type) }
  })
  const number = work.number(first.column)
  work.steps.push({
    kind: 'totals',
    number,
    from: stage.number,
    joins: frame.record.joins,
    keeps: carried(stage),
    within: within.map(({ name }) => name),
    aggregates: told.map(({ bound, column: { name } }) => ({ ...bound, name })),
  })
  const columns = [...stage.columns, ...told.map(({ column }) => column)]
  const next = { ...stage, number, columns }
  const these = new Map<Expression, Value>(
    told.map(({ node, column }) => [node, columnValue(column, number)]),
  )
  return { stage: next, frame: { ...frameAt(work.binding, next), these } }
}

function theseIn(node: Expression): (Count | AggregatedMany)[] {
  const isMany = node.kind === 'count' || node.kind === 'aggregate'
  return isMany && node.of[0]?.name === '$these' ? [node] : innerOf(node).flatMap(theseIn)
}

function boundOf(frame: Frame, node: Count | AggregatedMany): Bound {
  const isPart =
    node.of.length > 1 ||
    (node.kind === 'count'
      ? node.filter !== null || node.search !== null
      : node.item.from.length > 0)
  if (isPart) throw unsupported(frame.option, node.column, phrase('aPartOfThese'))
  if (node.kind === 'count') return { method: 'count', value: null, type: 'integer' }
  if (addsRelated(frame.record.view, node.item))
    throw unsupported(frame.option, node.column, phrase('addingRelated'))
  const bound = bindAggregated(frame, node.item, bindValue)
  // Neither database supports DISTINCT in window functions.
  if (bound.method === 'countdistinct')
    throw unsupported(frame.option, node.column, phrase('aPartOfThese'))
  return bound
}
