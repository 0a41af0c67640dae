// Binding of `$these`: aggregates over all rows of the group (Data Aggregation 4.0, 3.6.1).
import { unsupportedError } from '../../odata/options/option.ts'
import type { AggregateNode, CountNode, Expression } from '../../odata/expressions/syntax.ts'
import { columnValue, scopeOfStage, type ApplyStage } from './apply-stage.ts'
import { partitionsOf, type ApplyStepBuilder } from './step-builder.ts'
import {
  aggregatesRelated,
  bindAggregateExpression,
  type BoundAggregate,
} from '../expressions/bind-aggregate-expression.ts'
import type { NameScope } from '../expressions/scope.ts'
import type { Value } from '../expressions/bound-expression.ts'

/**
 * Adds a column for each `$these` aggregate in the expressions, computed once per group. Returns the stage with them, and the
 * scope of the expressions, with the values of the aggregates.
 */
export function addTheseAggregates(builder: ApplyStepBuilder, stage: ApplyStage, expressions: readonly Expression[]) {
  const scope = scopeOfStage(builder.binding, stage)
  const nodes = expressions.flatMap(findTheseAggregates)
  const [first] = nodes
  if (first === undefined) return { stage, scope }
  const aggregates = nodes.map((node) => {
    const bound = bindTheseAggregate(scope, node)
    return { node, bound, column: builder.newColumn(bound.type) }
  })
  const number = builder.addStep(first.column, {
    kind: 'partitionAggregate',
    ...partitionsOf(stage),
    joins: scope.record.joins,
    aggregates: aggregates.map(({ bound, column: { name } }) => ({ ...bound, name })),
  })
  const columns = [...stage.columns, ...aggregates.map(({ column }) => column)]
  const next = { ...stage, number, columns }
  const these = new Map<Expression, Value>(aggregates.map(({ node, column }) => [node, columnValue(column, number)]))
  return { stage: next, scope: { ...scopeOfStage(builder.binding, next), these } }
}

/** Those in a part of an expression, whatever has it as a member. */
function findTheseAggregates(part: object): (CountNode | AggregateNode)[] {
  if (isTheseAggregate(part)) return [part]
  return Object.values(part).flatMap((member: unknown) =>
    typeof member === 'object' && member !== null ? findTheseAggregates(member) : [],
  )
}

function isTheseAggregate(part: object | Expression): part is CountNode | AggregateNode {
  return 'kind' in part && (part.kind === 'count' || part.kind === 'aggregate') && part.path[0]?.name === '$these'
}

function bindTheseAggregate(scope: NameScope, node: CountNode | AggregateNode): BoundAggregate {
  const isPart =
    node.path.length > 1 ||
    (node.kind === 'count' ? node.filter !== null || node.search !== null : node.item.from.length > 0)
  if (isPart) throw unsupportedError(scope.option, node.column, 'unsupportedThese')
  if (node.kind === 'count') return { method: 'count', value: null, type: 'integer' }
  if (aggregatesRelated(scope.record.view, node.item))
    throw unsupportedError(scope.option, node.column, 'sumOverRelated')
  const bound = bindAggregateExpression(scope, node.item)
  // Neither database supports DISTINCT in window functions.
  if (bound.method === 'countdistinct') throw unsupportedError(scope.option, node.column, 'unsupportedThese')
  return bound
}
