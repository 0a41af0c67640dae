// Binding of `aggregate`: one row of aggregated values for each group.
import { invalidOptionError, unsupportedError } from '../../odata/options/option.ts'
import type { AggregateItem, NameNode, Transformation, TransformationOf } from '../../odata/expressions/syntax.ts'
import { message } from '../../../errors/messages.ts'
import type { GroupStep } from './apply-plan.ts'
import { aggregatedStage, scopeOfStage, type ApplyColumn, type ApplyStage } from './apply-stage.ts'
import type { ApplyStepBuilder } from './step-builder.ts'
import { bindAggregateExpression, unknownAggregateError } from '../expressions/bind-aggregate-expression.ts'
import { bindDistinctAggregates, type DistinctAggregates } from './bind-distinct-aggregates.ts'
import type { NameScope } from '../expressions/scope.ts'

type AggregateTransformation = TransformationOf<'aggregate'>

/** One row for each partition of the rows (Data Aggregation 4.0, 3.2.1). */
export function bindAggregate(builder: ApplyStepBuilder, stage: ApplyStage, one: AggregateTransformation): ApplyStage {
  const [from] = one.items.filter((item) => item.from.length > 0)
  if (from !== undefined) return builder.bindSequence(stage, expandFrom(builder, one, from))
  const { partitionBy } = stage
  const { stage: known, boundItems } = bindDistinctAggregates(builder, stage, one)
  const { number, columns } = addGroupStep(builder, known, one, { passedColumns: partitionBy, boundItems })
  return aggregatedStage(stage, {
    number: stage.canMissGroups ? addMissingGroups(builder, stage, one, number, columns) : number,
    columns: [...partitionBy, ...columns],
    key: partitionBy.map(({ name }) => name),
    canMissGroups: false,
  })
}

/** A group that lost all its rows has no aggregates, but is still a group. */
function addMissingGroups(
  builder: ApplyStepBuilder,
  { partitionBy, groupsStep }: ApplyStage,
  { column }: AggregateTransformation,
  from: number,
  columns: readonly AggregatedColumn[],
): number {
  if (partitionBy.length === 0) return from
  if (groupsStep === null) throw unsupportedError(builder.option, column, 'aggregateAfterFilter')
  return builder.addStep(column, {
    kind: 'missingGroups',
    from,
    groups: groupsStep,
    passedColumns: partitionBy.map(({ name }) => name),
    columns: columns.map(({ name, type, isCount }) => ({ name, type, isCount })),
  })
}

interface AggregatedColumn extends ApplyColumn {
  /** 0, not null, for no rows. */
  readonly isCount: boolean
}

/** Aggregates at several levels in one step; the first level has all columns, and the levels follow each other. */
export function bindLevels(
  builder: ApplyStepBuilder,
  stage: ApplyStage,
  one: AggregateTransformation,
  levels: readonly (readonly ApplyColumn[])[],
): ApplyStage {
  const [passedColumns = []] = levels
  const level = builder.newColumn('integer')
  const blanks = passedColumns.filter(({ blankWhenNull }) => blankWhenNull).map(({ name }) => name)
  const named = levels.map((columns) => columns.map(({ name }) => name))
  const { number, columns } = addGroupStep(builder, stage, one, {
    passedColumns,
    levels: { column: level.name, columns: named, blanks },
  })
  // The step returns NULL where they store '' (`GroupingLevels.blanks`).
  const nullableColumns = passedColumns.map(({ blankWhenNull: _blankWhenNull, ...column }) => column)
  const sums = columns.map(({ name }) => name)
  return aggregatedStage(stage, {
    number,
    columns: [...nullableColumns, ...columns, level],
    order: [{ column: level, descending: false }],
    key: [level.name, ...passedColumns.map(({ name }) => name)],
    rowsPerRecord: stage.rowsPerRecord * levels.length,
    rowTypes: { column: level.name, columns: named.map((names) => [...names, ...sums]) },
    canMissGroups: false,
  })
}

interface GroupOptions extends Partial<Pick<GroupStep, 'levels'>> {
  readonly passedColumns: readonly ApplyColumn[]
  /** Items that are already bound. */
  readonly boundItems?: DistinctAggregates['boundItems']
}

/** Adds the step, and returns the aggregated columns. */
export function addGroupStep(
  builder: ApplyStepBuilder,
  stage: ApplyStage,
  one: Pick<AggregateTransformation, 'column' | 'items'>,
  { passedColumns, levels = null, boundItems }: GroupOptions,
) {
  const scope = scopeOfStage(builder.binding, stage)
  const taken = passedColumns.flatMap(({ path }) => [path.join('/'), ...path.slice(0, 1)])
  const names = new Set(taken.map((name) => name.toLowerCase()))
  const bound = one.items.map((item) => {
    const as = requireAlias(scope, item)
    const name = as.name.toLowerCase()
    if (names.has(name))
      throw invalidOptionError(builder.option, as.column, message('duplicateName', { name: as.name }))
    names.add(name)
    const { method, value, type } = boundItems?.get(item) ?? bindAggregateExpression(scope, item)
    const isCount = method === 'count' || method === 'total' || method === 'countdistinct'
    const column: AggregatedColumn = { ...builder.newColumn(type, [as.name]), isCount }
    return { column, aggregate: { name: column.name, method, value, type } }
  })
  const number = builder.addStep(one.column, {
    kind: 'group',
    from: stage.number,
    joins: scope.record.joins,
    passedColumns: passedColumns.map(({ name }) => name),
    aggregates: bound.map(({ aggregate }) => aggregate),
    levels,
  })
  return { number, columns: bound.map(({ column }) => column) }
}

/** `A with sum from B with average` groups by B, sums, and then averages (3.2.1.5). */
function expandFrom(builder: ApplyStepBuilder, one: AggregateTransformation, item: AggregateItem): Transformation[] {
  const { column } = one
  const last = item.from.at(-1)
  if (last === undefined || last.method === null || one.items.length > 1)
    throw unsupportedError(builder.option, item.column, 'aggregateFromCombined')
  const intermediate: NameNode = { kind: 'name', name: intermediateName, column: item.column }
  const inner = { ...item, from: item.from.slice(0, -1), as: intermediate }
  return [
    {
      kind: 'groupby',
      column,
      by: last.by.map((names) => ({ kind: 'path', names })),
      apply: [{ kind: 'aggregate', column, items: [inner] }],
    },
    { kind: 'aggregate', column, items: [{ ...item, expression: intermediate, method: last.method, from: [] }] },
  ]
}

/** A name that no request can contain. */
const intermediateName = '\u{1}'

function requireAlias(scope: NameScope, item: AggregateItem): NameNode {
  const { expression, method, as } = item
  const isCounted = expression === null || expression.kind === 'count'
  if (as !== null && (method !== null || isCounted)) return as
  throw unknownAggregateError(scope, item)
}
