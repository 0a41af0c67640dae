// Binding of `groupby`: partitions rows by their values and runs transformations in each group.
import type { GroupingNode, NameNode } from '../../odata/expressions/syntax.ts'
import { aggregatedStage, hasEntities, type ApplyColumn, type ApplyStage } from './apply-stage.ts'
import type { ApplyStepBuilder } from './step-builder.ts'
import { aggregatesRelated } from '../expressions/bind-aggregate-expression.ts'
import { addGroupStep, bindLevels } from './bind-aggregate.ts'
import { concatenate } from './bind-concat.ts'
import { columnKey, fieldsOf, pathOf } from '../expressions/resource-fields.ts'
import { type GroupByTransformation, addGroupingColumns, expandGrouping } from './grouping-columns.ts'

/** With `rollup`, the groups of each level follow each other, the finest first (Data Aggregation 4.0, 3.2.3). */
export function bindGroups(
  builder: ApplyStepBuilder,
  stage: ApplyStage,
  unexpanded: GroupByTransformation,
): ApplyStage {
  const transformation = { ...unexpanded, by: unexpanded.by.flatMap((by) => expandGrouping(builder, stage, by)) }
  // Checks the number of levels before it creates any.
  const levelCount = transformation.by.reduce((all, by) => all * (by.kind === 'path' ? 1 : by.paths.length), 1)
  builder.sumRowsPerRecord([levelCount * stage.rowsPerRecord], transformation.column)
  const { start, columnOf } = addGroupingColumns(builder, stage, transformation)
  const levels = levelsOf(transformation.by).map((paths) => paths.map(columnOf))
  const together = bindGroupingSets(builder, start, transformation, levels)
  if (together !== null) return together
  const grouped = levels.map((by) => bindLevel(builder, start, transformation, by))
  const [first] = grouped
  if (first === undefined) throw new Error('groupby without groups')
  return grouped.length === 1 ? first : concatenate(builder, transformation, grouped)
}

/** The cross product of the levels of all hierarchies; each level drops the last path of the one before. */
function levelsOf(by: readonly GroupingNode[]): (readonly (readonly NameNode[])[])[] {
  const [first, ...others] = by
  if (first === undefined) return [[]]
  const rest = levelsOf(others)
  const own =
    first.kind === 'path'
      ? [[first.names]]
      : first.paths.map((_, index) => first.paths.slice(0, first.paths.length - index))
  return own.flatMap((level) => rest.map((paths) => [...level, ...paths]))
}

/** Plain aggregates at all levels take one step of grouping sets; null where that is not possible. */
function bindGroupingSets(
  builder: ApplyStepBuilder,
  stage: ApplyStage,
  { apply }: GroupByTransformation,
  levels: readonly (readonly ApplyColumn[])[],
): ApplyStage | null {
  const [first, another] = apply
  if (levels.length === 1 || first?.kind !== 'aggregate' || another !== undefined) return null
  const columns = levels.map((level) => [...new Set([...stage.partitionBy, ...level])])
  const levelKeys = columns.map((level) =>
    level
      .map(({ name }) => name)
      .sort()
      .join(),
  )
  const isPlain = first.items.every((item) => item.from.length === 0 && !aggregatesRelated(stage.view, item))
  const [finest = []] = columns
  if (!isPlain || new Set(levelKeys).size < levelKeys.length || finest.length > columnsMax) return null
  return bindLevels(builder, stage, first, columns)
}

/** The maximum of PostgreSQL's `grouping()`. */
const columnsMax = 31

function bindLevel(
  builder: ApplyStepBuilder,
  stage: ApplyStage,
  transformation: GroupByTransformation,
  by: readonly ApplyColumn[],
): ApplyStage {
  const groupColumns = [...new Set([...stage.partitionBy, ...by])]
  if (transformation.apply.length === 0) return addDistinctStep(builder, stage, transformation, groupColumns)
  const start = { ...stage, partitionBy: groupColumns, canMissGroups: false, groupsStep: stage.number }
  const next = builder.bindSequence(start, transformation.apply)
  const { partitionBy, groupsStep } = stage
  const canMissGroups = stage.canMissGroups || next.canMissGroups
  return { ...hideShadowedColumns(next), partitionBy, canMissGroups, groupsStep }
}

function addDistinctStep(
  builder: ApplyStepBuilder,
  stage: ApplyStage,
  { column }: GroupByTransformation,
  columns: readonly ApplyColumn[],
): ApplyStage {
  const { number } = addGroupStep(builder, stage, { column, items: [] }, { passedColumns: columns })
  return aggregatedStage(stage, { number, columns, key: columns.map(({ name }) => name), canMissGroups: false })
}

/** Hides columns that an entity has as its own fields. */
function hideShadowedColumns(stage: ApplyStage): ApplyStage {
  if (!hasEntities(stage)) return stage
  const { all } = fieldsOf(stage.view.resource)
  const own = new Set(all.map((field) => columnKey(pathOf(field))))
  const columns = stage.columns.map((column) =>
    own.has(columnKey(column.path)) ? { ...column, path: [], outputPath: [] } : column,
  )
  return { ...stage, columns }
}
