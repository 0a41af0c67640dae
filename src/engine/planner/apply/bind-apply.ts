// Binding of `$apply`: turns a sequence of transformations into steps of the plan.
import { unsupportedError } from '../../odata/options/option.ts'
import type { Transformation, TransformationOf } from '../../odata/expressions/syntax.ts'
import type { ApplyPlan, RecordsStep } from './apply-plan.ts'
import {
  scopeOfStage,
  hasEntities,
  orderOfStage,
  recordsStage,
  type ApplyColumn,
  type ApplyStage,
} from './apply-stage.ts'
import { ApplyStepBuilder } from './step-builder.ts'
import { bindAggregate } from './bind-aggregate.ts'
import { bindCompute } from '../select/bind-compute.ts'
import { bindConcat } from './bind-concat.ts'
import { bindFilter } from '../expressions/bind-filter.ts'
import { bindValue } from '../expressions/bind-value.ts'
import { bindGroups } from './bind-groups.ts'
import { bindJoin } from './bind-join.ts'
import { bindRanking, filterByOrdinal } from './bind-ranking.ts'
import { bindSearch } from '../expressions/bind-search.ts'
import { addTheseAggregates } from './bind-these-aggregates.ts'
import { addLiteral, type Binding } from '../binding.ts'
import type { ResourceView } from '../expressions/names.ts'

/** The output stage of `$apply`, and its plan. */
export interface BoundApply {
  readonly stage: ApplyStage
  readonly plan: ApplyPlan
}

/** `records` are those of the set; their record number is the number of the first step. */
export function bindApply(
  binding: Binding,
  view: ResourceView,
  { number: firstNumber, ...records }: Omit<RecordsStep, 'kind' | 'resource'>,
  sequence: readonly Transformation[],
): BoundApply {
  const builder = new ApplyStepBuilder(binding, bindTransformation, firstNumber)
  const number = builder.addStep(1, { kind: 'records', resource: view.resource, ...records })
  const stage = builder.bindSequence(recordsStage(number, view), sequence)
  return { stage, plan: { steps: builder.steps, rowTypes: stage.rowTypes } }
}

function bindTransformation(builder: ApplyStepBuilder, stage: ApplyStage, transformation: Transformation): ApplyStage {
  switch (transformation.kind) {
    case 'identity':
      return stage
    case 'filter':
      return bindFilterStep(builder, stage, transformation)
    case 'search':
      return bindSearchStep(builder, stage, transformation)
    case 'compute':
      return bindComputeStep(builder, stage, transformation)
    case 'orderby':
      return bindOrderStep(builder, stage, transformation)
    case 'top':
    case 'skip':
      return bindPageStep(builder, stage, transformation)
    case 'aggregate':
      return bindAggregate(builder, stage, transformation)
    case 'groupby':
      return bindGroups(builder, stage, transformation)
    case 'join':
    case 'outerjoin':
      return bindJoin(builder, stage, transformation)
    case 'concat':
      return bindConcat(builder, stage, transformation)
  }
  return bindRanking(builder, stage, transformation)
}

/** A group may lose all its rows. */
function withMissingGroups(stage: ApplyStage): ApplyStage {
  return { ...stage, canMissGroups: true }
}

function bindFilterStep(builder: ApplyStepBuilder, before: ApplyStage, one: TransformationOf<'filter'>): ApplyStage {
  const { stage, scope } = addTheseAggregates(builder, before, [one.condition])
  const filter = bindFilter(scope, one.condition)
  return withMissingGroups(builder.addRowsStep(stage, one, { record: scope.record, filter }))
}

function bindSearchStep(builder: ApplyStepBuilder, stage: ApplyStage, one: TransformationOf<'search'>): ApplyStage {
  if (!hasEntities(stage)) throw unsupportedError(builder.option, one.column, 'searchAfterAggregation')
  const scope = scopeOfStage(builder.binding, stage)
  const filter = bindSearch(scope, one.search)
  return withMissingGroups(builder.addRowsStep(stage, one, { record: scope.record, filter }))
}

function bindComputeStep(builder: ApplyStepBuilder, before: ApplyStage, one: TransformationOf<'compute'>): ApplyStage {
  const expressions = one.items.map(({ expression }) => expression)
  const { stage, scope } = addTheseAggregates(builder, before, expressions)
  const named = bindCompute(scope, one.items)
  const added = one.items.flatMap(({ as }) => {
    const value = named.get(as.name.toLowerCase())?.value
    return value === undefined ? [] : [builder.computedColumn(value, [as.name])]
  })
  const next = builder.addRowsStep(stage, one, { record: scope.record, added })
  const columns = added.map(({ column }) => column)
  return { ...next, rowTypes: addToRowTypes(stage, columns) }
}

/** Adds the columns to every row type. */
function addToRowTypes({ rowTypes }: ApplyStage, added: readonly ApplyColumn[]): ApplyStage['rowTypes'] {
  if (rowTypes === null) return null
  const names = added.map(({ name }) => name)
  return { ...rowTypes, columns: rowTypes.columns.map((columns) => [...columns, ...names]) }
}

/** A stable sort: rows with equal values keep their order. */
function bindOrderStep(builder: ApplyStepBuilder, before: ApplyStage, one: TransformationOf<'orderby'>): ApplyStage {
  const expressions = one.items.map(({ expression }) => expression)
  const { stage, scope } = addTheseAggregates(builder, before, expressions)
  const added = one.items.map(({ expression, descending }) => ({
    ...builder.computedColumn(bindValue(scope, expression)),
    descending,
  }))
  const next = builder.addRowsStep(stage, one, { record: scope.record, added })
  return { ...next, order: [...added, ...stage.order] }
}

/** `top` and `skip`: the first rows, or those after them. */
function bindPageStep(builder: ApplyStepBuilder, stage: ApplyStage, one: TransformationOf<'top' | 'skip'>): ApplyStage {
  const { kind, count } = one
  const literal = addLiteral(builder.binding, count, 'integer')
  const order = orderOfStage(stage)
  if (stage.partitionBy.length === 0) {
    const [top, skip] = kind === 'top' ? [literal, null] : [null, literal]
    return withMissingGroups(builder.addRowsStep(stage, one, { page: { order, top, skip } }))
  }
  const operator = kind === 'top' ? 'le' : 'gt'
  const next = filterByOrdinal(builder, stage, { at: one, order, operator, than: literal })
  return kind === 'top' && count > 0 ? next : withMissingGroups(next)
}
