// Binding of `groupby`: partitions rows by their values and runs transformations in each group.
import { invalidOptionError, unsupportedError } from '../../odata/options/option.ts'
import type { Grouping, NameNode, TransformationOf } from '../../odata/expressions/syntax.ts'
import { aggregatedStage, scopeOfStage, hasEntities, type ApplyColumn, type ApplyStage } from './apply-stage.ts'
import type { ApplyStepBuilder, ComputedColumn } from './step-builder.ts'
import { typeOf } from '../expressions/arithmetic.ts'
import { aggregatesRelated } from '../expressions/bind-aggregate-expression.ts'
import { bindLevels } from './bind-aggregate.ts'
import { concatenate } from './bind-concat.ts'
import { bindValue } from '../expressions/bind-filter.ts'
import { resolveName, type NameScope } from '../expressions/scope.ts'
import {
  columnKey,
  defaultFieldsOf,
  fieldsOf,
  pathOf,
  findRelation,
  pathKey,
  type ResourceView,
} from '../expressions/names.ts'
import type { FieldValue } from '../expressions/bound-expression.ts'

type GroupByTransformation = TransformationOf<'groupby'>

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

/** Grouping by a complex property or a related record groups by all its fields that the caller may read. */
function expandGrouping(builder: ApplyStepBuilder, stage: ApplyStage, by: Grouping): Grouping[] {
  if (by.kind === 'rollup' || stage.columns.some(({ path }) => columnKey(path) === pathKey(by.names))) return [by]
  const scope = scopeOfStage(builder.binding, stage)
  const resolved = resolveName(scope, by.names)
  const isOne = resolved.kind === 'relation' && resolved.relation.isMany !== true
  if (!isOne && resolved.kind !== 'complex') return [by]
  const column = by.names.at(-1)?.column ?? 1
  const fields =
    resolved.kind === 'complex'
      ? resolved.complexProperty.fields
      : defaultFieldsOf({ ...scope.record.view, resource: resolved.relation.to })
  const depth = resolved.kind === 'complex' ? resolved.complexProperty.path.length : 0
  return fields.map((field) => {
    const names = pathOf(field).slice(depth)
    const inside = names.map((name): NameNode => ({ kind: 'name', name, column }))
    return { kind: 'path', names: [...by.names, ...inside] }
  })
}

/** The cross product of the levels of all hierarchies; each level drops the last path of the one before. */
function levelsOf(by: readonly Grouping[]): (readonly (readonly NameNode[])[])[] {
  const [first, ...others] = by
  if (first === undefined) return [[]]
  const rest = levelsOf(others)
  const own =
    first.kind === 'path'
      ? [[first.names]]
      : first.paths.map((_, index) => first.paths.slice(0, first.paths.length - index))
  return own.flatMap((level) => rest.map((paths) => [...level, ...paths]))
}

/** Adds the grouping values to the rows as columns, and returns a lookup of columns by path. */
function addGroupingColumns(builder: ApplyStepBuilder, stage: ApplyStage, transformation: GroupByTransformation) {
  const scope = scopeOfStage(builder.binding, stage)
  const paths = transformation.by.flatMap((grouping) => {
    if (grouping.kind === 'path') return [grouping.names]
    if (grouping.paths.length < 2) throw invalidOptionError(builder.option, grouping.column, 'unknownHierarchy')
    return grouping.paths
  })
  const columns = new Map<string, ApplyColumn>()
  const added: ComputedColumn[] = []
  for (const names of paths) {
    const key = pathKey(names)
    if (columns.has(key)) continue
    const own = stage.columns.find(({ path }) => columnKey(path) === key)
    if (own !== undefined) {
      columns.set(key, own)
      continue
    }
    const { value, path } = bindGroupingPath(scope, names)
    const isDeclared = builder.binding.naming === 'declared'
    const outputPath = isDeclared ? path : names.map(({ name }) => name)
    const made = builder.newColumn(typeOf(value) ?? 'text', path, outputPath)
    // Grouped by the stored '', so that the database can use its statistics.
    const isBlank = value.kind === 'field' && value.blankWhenNull === true && !value.isJoined
    const column: ApplyColumn = isBlank ? { ...made, blankWhenNull: true } : made
    columns.set(key, column)
    added.push({ value: isBlank ? asStored(value) : value, column })
  }
  const { record } = scope
  const start = added.length === 0 ? stage : builder.addRowsStep(stage, transformation, { record, added })
  const columnOf = (names: readonly NameNode[]): ApplyColumn => {
    const column = columns.get(pathKey(names))
    if (column === undefined) throw new Error('a grouping without a column')
    return column
  }
  return { start, columnOf }
}

function bindGroupingPath(scope: NameScope, names: readonly NameNode[]) {
  const [first] = names
  const last = names.at(-1)
  if (first === undefined || last === undefined) throw new Error('an empty path')
  if (resolveName(scope, names).kind === 'relation')
    throw unsupportedError(scope.option, last.column, 'groupingByRelation')
  const value = bindValue(scope, { kind: 'path', names, column: first.column })
  return { value, path: declaredPath(scope.record.view, names) }
}

/** The stored representation of the field, blank or not. */
function asStored({ blankWhenNull: _blankWhenNull, ...value }: FieldValue): FieldValue {
  return value
}

/** The path with the names of the model. */
function declaredPath(view: ResourceView, names: readonly NameNode[]): readonly string[] {
  const [first, ...others] = names
  if (first === undefined) return []
  const relation = findRelation(view, first)
  if (relation !== undefined && others.length > 0)
    return [relation.wire, ...declaredPath({ ...view, resource: relation.to }, others)]
  const field = fieldsOf(view.resource).byLowerCase.get(pathKey(names))
  return field === undefined ? names.map(({ name }) => name) : pathOf(field)
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
  const key = columns.map(({ name }) => name)
  const number = builder.addStep(column, {
    kind: 'group',
    from: stage.number,
    joins: [],
    passedColumns: key,
    aggregates: [],
    levels: null,
  })
  return aggregatedStage(stage, { number, columns, key, canMissGroups: false })
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
