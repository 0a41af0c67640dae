// Grouping columns: the values that `groupby` groups by, as columns of the rows.
import type { FieldValue } from '../expressions/bound-expression.ts'
import { defaultFieldsOf, findRelation, pathKey, type ResourceView } from '../expressions/names.ts'
import { scopeOfStage, type ApplyStage, type ApplyColumn } from './apply-stage.ts'
import { columnKey, pathOf, fieldsOf } from '../expressions/resource-fields.ts'
import { type NameScope, resolveName } from '../expressions/scope.ts'
import type { GroupingNode, TransformationOf, NameNode } from '../../odata/expressions/syntax.ts'
import { unsupportedError, invalidOptionError } from '../../odata/options/option.ts'
import type { ComputedColumn, ApplyStepBuilder } from './step-builder.ts'
import { bindValue } from '../expressions/bind-value.ts'
import { typeOf } from '../expressions/typed-value.ts'

export type GroupByTransformation = TransformationOf<'groupby'>

/** Grouping by a complex property or a related record groups by all its fields that the caller may read. */
export function expandGrouping(builder: ApplyStepBuilder, stage: ApplyStage, by: GroupingNode): GroupingNode[] {
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

/** Adds the grouping values to the rows as columns, and returns a lookup of columns by path. */
export function addGroupingColumns(
  builder: ApplyStepBuilder,
  stage: ApplyStage,
  transformation: GroupByTransformation,
) {
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
