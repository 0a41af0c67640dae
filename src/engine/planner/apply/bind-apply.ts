// Binding of `$apply`: turns a sequence of transformations into steps of the plan.
import { unsupportedError } from '../../odata/options/option.ts'
import type {
  ComputeItem,
  Expression,
  OrderItem,
  SearchExpression,
  Transformation,
} from '../../odata/expressions/syntax.ts'
import { message } from '../../../errors/messages.ts'
import type { ApplyPlan, RecordsStep } from './apply-plan.ts'
import {
  scopeOfStage,
  hasEntities,
  orderOfStage,
  type ApplyColumn,
  type ApplyStage,
} from './apply-stage.ts'
import { ApplyStepBuilder, type BindSequence } from './apply-work.ts'
import { typeOf } from '../expressions/arithmetic.ts'
import { bindAggregate } from './bind-aggregate.ts'
import { bindCompute } from '../select/bind-compute.ts'
import { bindConcat } from './bind-concat.ts'
import { bindFilter, bindValue } from '../expressions/bind-filter.ts'
import { bindGroups } from './bind-groups.ts'
import { bindJoin } from './bind-join.ts'
import { bindRanking, filterByOrdinal } from './bind-ranking.ts'
import { bindSearch } from '../select/bind-search.ts'
import { addTheseAggregates } from './bind-these-aggregates.ts'
import type { Binding } from '../binding.ts'
import { ValueComparer } from '../expressions/compare-value.ts'
import type { ResourceView } from '../expressions/names.ts'
import type { LiteralValue } from '../expressions/expression.ts'

/** The output stage of `$apply`, and its plan. */
export interface BoundApply {
  readonly stage: ApplyStage
  readonly plan: ApplyPlan
}

/** `records` are those of the set; their record number is the number of the first step. */
export function bindApply(
  binding: Binding,
  view: ResourceView,
  records: Omit<RecordsStep, 'kind' | 'resource'>,
  sequence: readonly Transformation[],
): BoundApply {
  const builder = new ApplyStepBuilder(binding, bindSequence, records.number)
  const { resource } = view
  builder.steps.push({ kind: 'records', resource, ...records })
  const { key } = resource
  const { number } = records
  const first = {
    number,
    view,
    key,
    columns: [],
    order: [],
    variants: null,
    copies: 1,
    mayLackGroups: false,
    groups: null,
  }
  const stage = bindSequence(builder, first, sequence, [])
  const { variants } = stage
  return { stage, plan: { steps: builder.steps, variants } }
}

const bindSequence: BindSequence = (builder, stage, sequence, partitionBy) =>
  sequence.reduce(
    (before, transformation) => bindTransformation(builder, before, transformation, partitionBy),
    stage,
  )

function bindTransformation(
  builder: ApplyStepBuilder,
  stage: ApplyStage,
  transformation: Transformation,
  partitionBy: readonly ApplyColumn[],
): ApplyStage {
  switch (transformation.kind) {
    case 'identity':
      return stage
    case 'filter':
      return bindFilterStep(builder, stage, transformation, partitionBy)
    case 'search':
      return bindSearchStep(builder, stage, transformation)
    case 'compute':
      return bindComputeStep(builder, stage, transformation, partitionBy)
    case 'orderby':
      return bindOrderStep(builder, stage, transformation, partitionBy)
    case 'top':
    case 'skip':
      return bindPageStep(builder, stage, transformation, partitionBy)
    case 'aggregate':
      return bindAggregate(builder, stage, transformation, partitionBy)
    case 'groupby':
      return bindGroups(builder, stage, transformation, partitionBy)
    case 'join':
    case 'outerjoin':
      return bindJoin(builder, stage, transformation, partitionBy)
    case 'concat':
      return bindConcat(builder, stage, transformation, partitionBy)
  }
  return bindRanking(builder, stage, transformation, partitionBy)
}

/** A group may lose all its rows. */
function mayLoseGroups(stage: ApplyStage): ApplyStage {
  return { ...stage, mayLackGroups: true }
}

function bindFilterStep(
  builder: ApplyStepBuilder,
  before: ApplyStage,
  transformation: Transformation & { readonly condition: Expression },
  partitionBy: readonly ApplyColumn[],
): ApplyStage {
  const { stage, scope } = addTheseAggregates(
    builder,
    before,
    [transformation.condition],
    partitionBy,
  )
  const filter = bindFilter(scope, transformation.condition)
  return mayLoseGroups(builder.addRowsStep(stage, transformation, { record: scope.record, filter }))
}

function bindSearchStep(
  builder: ApplyStepBuilder,
  stage: ApplyStage,
  transformation: Transformation & { readonly search: SearchExpression },
): ApplyStage {
  if (!hasEntities(stage))
    throw unsupportedError(builder.option, transformation.column, message('searchAfterAggregation'))
  const scope = scopeOfStage(builder.binding, stage)
  const filter = bindSearch(scope, transformation.search)
  return mayLoseGroups(builder.addRowsStep(stage, transformation, { record: scope.record, filter }))
}

function bindComputeStep(
  builder: ApplyStepBuilder,
  before: ApplyStage,
  transformation: Transformation & { readonly items: readonly ComputeItem[] },
  partitionBy: readonly ApplyColumn[],
): ApplyStage {
  const expressions = transformation.items.map(({ expression }) => expression)
  const { stage, scope } = addTheseAggregates(builder, before, expressions, partitionBy)
  const named = bindCompute(scope, transformation.items)
  const added = transformation.items.flatMap(({ as }) => {
    const value = named.get(as.name.toLowerCase())?.value
    if (value === undefined) return []
    const column = builder.newColumn(typeOf(value) ?? 'text', [as.name])
    return [{ column, name: column.name, value }]
  })
  const columns = added.map(({ column }) => column)
  const next = builder.addRowsStep(stage, transformation, {
    record: scope.record,
    addedColumns: added,
    columns,
  })
  return { ...next, variants: addToVariants(stage, columns) }
}

/** Adds the columns to every variant. */
function addToVariants(
  { variants }: ApplyStage,
  added: readonly ApplyColumn[],
): ApplyStage['variants'] {
  if (variants === null) return null
  const names = added.map(({ name }) => name)
  return { ...variants, columns: variants.columns.map((columns) => [...columns, ...names]) }
}

/** A stable sort: rows with equal values keep their order. */
function bindOrderStep(
  builder: ApplyStepBuilder,
  before: ApplyStage,
  transformation: Transformation & { readonly items: readonly OrderItem[] },
  partitionBy: readonly ApplyColumn[],
): ApplyStage {
  const expressions = transformation.items.map(({ expression }) => expression)
  const { stage, scope } = addTheseAggregates(builder, before, expressions, partitionBy)
  const added = transformation.items.map(({ expression, descending }) => {
    const value = bindValue(scope, expression)
    const column = builder.newColumn(typeOf(value) ?? 'text')
    return { column, descending, name: column.name, value }
  })
  const columns = added.map(({ column }) => column)
  const next = builder.addRowsStep(stage, transformation, {
    record: scope.record,
    addedColumns: added,
    columns,
  })
  return { ...next, order: [...added, ...stage.order] }
}

/** `top` and `skip`: the first rows, or those after them. */
function bindPageStep(
  builder: ApplyStepBuilder,
  stage: ApplyStage,
  transformation: Transformation & { readonly kind: 'top' | 'skip'; readonly count: number },
  partitionBy: readonly ApplyColumn[],
): ApplyStage {
  const { kind, count } = transformation
  const literal = integerLiteral(builder, count)
  if (partitionBy.length === 0) {
    const [top, skip] = kind === 'top' ? [literal, null] : [null, literal]
    return mayLoseGroups(
      builder.addRowsStep(stage, transformation, {
        page: { order: orderOfStage(stage), top, skip },
      }),
    )
  }
  const operator = kind === 'top' ? 'le' : 'gt'
  const next = filterByOrdinal(builder, stage, {
    at: transformation,
    partitionBy,
    order: orderOfStage(stage),
    operator,
    than: literal,
  })
  return kind === 'top' && count > 0 ? next : mayLoseGroups(next)
}

function integerLiteral({ binding, option }: ApplyStepBuilder, count: number): LiteralValue {
  return new ValueComparer(binding, option).addLiteral(count, 'integer')
}
