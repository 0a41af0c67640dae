// Binding of `join` and `outerjoin`: one row per related record (Data Aggregation 4.0, 3.4.1).
import { invalidOptionError, unsupportedError } from '../../odata/options/option.ts'
import type { NameNode, Transformation, TransformationOf } from '../../odata/expressions/syntax.ts'
import { message } from '../../../errors/messages.ts'
import type { JoinStep } from './apply-plan.ts'
import {
  aggregatedStage,
  columnValue,
  scopeOfStage,
  hasEntities,
  orderOfStage,
  recordsStage,
  type ApplyColumn,
  type ColumnOrder,
  type ApplyStage,
} from './apply-stage.ts'
import { toAddedColumns, type ApplyStepBuilder } from './step-builder.ts'
import { addLiteral } from '../binding.ts'
import { constant, notNullCondition } from '../expressions/conditions.ts'
import { fieldValue } from '../expressions/field-value.ts'
import { findRelation, requireReadScope, unknownPropertyError, pathKey } from '../expressions/names.ts'
import { fieldsNamed, fieldsOf } from '../expressions/resource-fields.ts'
import type { Condition, Value } from '../expressions/bound-expression.ts'
import { outputColumns } from './apply-output.ts'
import type { Relation } from '../../model/schema.ts'

type JoinTransformation = TransformationOf<'join' | 'outerjoin'>

export function bindJoin(builder: ApplyStepBuilder, stage: ApplyStage, one: JoinTransformation): ApplyStage {
  const relation = requireRelation(builder, stage, one)
  builder.sumRowsPerRecord([stage.rowsPerRecord, 1], one.column)
  const left = materializeColumns(builder, stage, one)
  const right = bindRelatedRows(builder, stage, one, relation)
  // An aggregate without `groupby` has one row per joined row, even for no input.
  const isOnePerRow = right.stage.key.every((name) => right.keys.some((key) => key.name === name))
  const isOuter = one.kind === 'outerjoin' || isOnePerRow
  const as = [one.as.name]
  const integer = (value: number) => addLiteral(builder.binding, value, 'integer')
  const shown = outputColumns(builder, right.stage).map(({ column, value }) => ({
    column: builder.newColumn(column.type, [...as, ...column.path], [...as, ...column.outputPath], column.operations),
    value: column.isCount === true ? ifElse(notNullCondition(value), value, integer(0)) : value,
  }))
  const orders = orderColumns(builder, right.stage)
  const rowType = builder.newColumn('integer')
  const hasRelated = notNullCondition(columnValue(right.keys[0] ?? rowType, right.stage.number))
  const ofRowType = { column: rowType, value: ifElse(hasRelated, integer(0), integer(1)) }
  const added = [...shown, ...orders, ofRowType]
  const own = left.stage.columns.map(({ name }) => name)
  const number = builder.addStep(one.column, {
    kind: 'join',
    from: left.stage.number,
    with: right.stage.number,
    passedColumns: own,
    addedColumns: toAddedColumns(added),
    on: joinPairs(builder, left.stage, relation, right),
    isOuter,
  })
  const columns = [...left.stage.columns, ...added.map(({ column }) => column)]
  const order = [...left.order, ...orders]
  return aggregatedStage(stage, {
    number,
    columns,
    order: order.map(({ column, descending }): ColumnOrder => ({ column, descending })),
    key: order.map(({ column }) => column.name),
    rowTypes:
      isOuter && !isOnePerRow
        ? { column: rowType.name, columns: [[...own, ...shown.map(({ column }) => column.name)], own] }
        : null,
    canMissGroups: stage.canMissGroups || !isOuter,
    groupsStep: stage.partitionBy.length === 0 ? null : stage.groupsStep,
  })
}

function requireRelation(builder: ApplyStepBuilder, stage: ApplyStage, one: JoinTransformation): Relation {
  const [name, beyond] = one.path
  if (name === undefined) throw new Error('a join without a relation')
  if (beyond !== undefined || stage.rowTypes !== null)
    throw unsupportedError(builder.option, one.column, 'joinAlongPath')
  const { view } = scopeOfStage(builder.binding, stage).record
  const relation = findRelation(view, name)
  if (relation === undefined) throw unknownPropertyError(view, name, builder.option)
  requireReadScope(view, relation.to.readScope, name, builder.option)
  if (relation.isMany !== true)
    throw invalidOptionError(builder.option, name.column, message('isSingleRecord', { name: relation.wire }))
  requireFreeName(builder, stage, one.as)
  return relation
}

function requireFreeName(builder: ApplyStepBuilder, { view, columns }: ApplyStage, as: NameNode): void {
  const lower = as.name.toLowerCase()
  const isTaken =
    columns.some(({ path }) => path[0]?.toLowerCase() === lower) ||
    fieldsOf(view.resource).byLowerCase.has(pathKey([as])) ||
    findRelation(view, as) !== undefined
  if (isTaken) throw invalidOptionError(builder.option, as.column, message('duplicateName', { name: as.name }))
}

/** The sort values of the rows, as internal columns. */
function orderColumns(builder: ApplyStepBuilder, stage: ApplyStage) {
  return orderOfStage(stage).map(({ value, descending }) => ({ ...builder.computedColumn(value), descending }))
}

/** Turns fields and sort values into columns, since joined rows are no longer entities. */
function materializeColumns(builder: ApplyStepBuilder, stage: ApplyStage, at: Transformation) {
  const own = hasEntities(stage)
    ? outputColumns(builder, stage)
        .filter(({ column }) => !stage.columns.some(({ name }) => name === column.name))
        .map(({ column, value }) => ({ column: builder.newColumn(column.type, column.path, column.outputPath), value }))
    : []
  const order = orderColumns(builder, stage)
  return { stage: builder.addRowsStep(stage, at, { added: [...own, ...order] }), order }
}

interface RelatedRows {
  readonly stage: ApplyStage
  /** The columns that the rows are joined on. */
  readonly keys: readonly ApplyColumn[]
}

/** All records of the related resource, transformed for each row that they belong to. */
function bindRelatedRows(
  builder: ApplyStepBuilder,
  { view }: ApplyStage,
  one: JoinTransformation,
  { to, on }: Relation,
): RelatedRows {
  const records = { resource: to, joins: [], filter: null, parent: null }
  const number = builder.addStep(one.column, { kind: 'records', ...records })
  const added = fieldsNamed(to, Object.values(on)).map((field) =>
    builder.computedColumn(fieldValue({ number, isJoined: false }, field)),
  )
  const keys = added.map(({ column }) => column)
  const first = recordsStage(number, { ...view, resource: to })
  const parent = builder.addRowsStep(first, one, { added })
  const grouped = { ...parent, partitionBy: keys, groupsStep: parent.number }
  const stage = one.apply.length === 0 ? parent : builder.bindSequence(grouped, one.apply)
  if (stage.rowTypes !== null) throw unsupportedError(builder.option, one.column, 'joinAlongPath')
  return { stage, keys }
}

function joinPairs(
  { binding }: ApplyStepBuilder,
  left: ApplyStage,
  { on }: Relation,
  { stage, keys }: RelatedRows,
): JoinStep['on'] {
  const { record } = scopeOfStage(binding, left)
  return fieldsNamed(left.view.resource, Object.keys(on)).flatMap((field, index) => {
    const key = keys[index]
    if (key === undefined) return []
    return [{ left: fieldValue(record, field), right: columnValue(key, stage.number) }]
  })
}

function ifElse(condition: Condition, value: Value, otherwise: Value): Value {
  const branches = [
    { condition, value },
    { condition: constant(true), value: otherwise },
  ]
  return { kind: 'case', branches, type: 'integer' }
}
