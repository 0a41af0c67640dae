// Binding of `join` and `outerjoin`: one row per related record (Data Aggregation 4.0, 3.4.1).
import { invalidOptionError, unsupportedError } from '../../odata/options/option.ts'
import type { NameNode, Transformation } from '../../odata/expressions/syntax.ts'
import { message } from '../../../errors/messages.ts'
import type { AddedColumn, JoinStep } from './apply-plan.ts'
import {
  columnValue,
  scopeOfStage,
  hasEntities,
  orderOfStage,
  withoutFields,
  type ApplyColumn,
  type ColumnOrder,
  type ApplyStage,
} from './apply-stage.ts'
import type { ApplyStepBuilder } from './apply-work.ts'
import { typeOf } from '../expressions/arithmetic.ts'
import { ValueComparer, constant } from '../expressions/compare-value.ts'
import { fieldValue } from '../expressions/field-expression.ts'
import {
  fieldsOf,
  findRelation,
  requireRight,
  unknownPropertyError,
  pathKey,
} from '../expressions/names.ts'
import type { Condition, Value } from '../expressions/expression.ts'
import { outputColumns } from './apply-output-columns.ts'
import type { Relation } from '../../model/schema.ts'

type JoinTransformation = Transformation & { readonly kind: 'join' | 'outerjoin' }

export function bindJoin(
  builder: ApplyStepBuilder,
  stage: ApplyStage,
  one: JoinTransformation,
  partitionBy: readonly ApplyColumn[],
): ApplyStage {
  const relation = requireRelation(builder, stage, one)
  builder.countCopies([stage.copies, 1], one.column)
  const left = materializeColumns(builder, stage, one)
  const right = bindRelatedRows(builder, stage, one, relation)
  // An aggregate without `groupby` has one row per joined row, even for no input.
  const isOnePerRow = right.stage.key.every((name) => right.keys.some((key) => key.name === name))
  const isOuter = one.kind === 'outerjoin' || isOnePerRow
  const as = [one.as.name]
  const shown = outputColumns(builder, right.stage).map(({ column, value }) => ({
    column: builder.newColumn(column.type, [...as, ...column.path], [...as, ...column.outputPath]),
    value: column.isCount === true ? orZero(builder, value) : value,
  }))
  const orders = orderColumns(builder, right.stage)
  const variant = builder.newColumn('integer')
  const isThere = isNotNull(columnValue(right.keys[0] ?? variant, right.stage.number))
  const kind = { column: variant, value: variantOf(builder, isThere) }
  const number = builder.nextNumber(one.column)
  const added = [...shown, ...orders, kind]
  builder.steps.push({
    kind: 'join',
    number,
    from: left.stage.number,
    with: right.stage.number,
    passedColumns: left.stage.columns.map(({ name }) => name),
    addedColumns: added.map(({ column, value }): AddedColumn => ({ name: column.name, value })),
    on: joinPairs(builder, left.stage, relation, right),
    isOuter,
  })
  const columns = [...left.stage.columns, ...added.map(({ column }) => column)]
  const names = (all: readonly { readonly column: ApplyColumn }[]) =>
    all.map(({ column }) => column.name)
  const own = left.stage.columns.map(({ name }) => name)
  const order = [...left.order, ...orders]
  return {
    number,
    view: withoutFields(stage.view),
    columns,
    order: order.map(({ column, descending }): ColumnOrder => ({ column, descending })),
    key: order.map(({ column }) => column.name),
    variants:
      isOuter && !isOnePerRow
        ? { column: variant.name, columns: [[...own, ...names(shown)], own] }
        : null,
    copies: stage.copies,
    mayLackGroups: stage.mayLackGroups || !isOuter,
    groups: partitionBy.length === 0 ? null : stage.groups,
  }
}

function requireRelation(
  builder: ApplyStepBuilder,
  stage: ApplyStage,
  one: JoinTransformation,
): Relation {
  const [name, beyond] = one.path
  if (name === undefined) throw new Error('a join without a relation')
  if (beyond !== undefined || stage.variants !== null)
    throw unsupportedError(builder.option, one.column, message('joinAlongPath'))
  const { view } = scopeOfStage(builder.binding, stage).record
  const relation = findRelation(view, name)
  if (relation === undefined) throw unknownPropertyError(view, name, builder.option)
  requireRight(view, relation.to.right, name, builder.option)
  if (relation.isMany !== true)
    throw invalidOptionError(
      builder.option,
      name.column,
      message('isSingleRecord', { name: relation.wire }),
    )
  requireFreeName(builder, stage, one.as)
  return relation
}

function requireFreeName(
  builder: ApplyStepBuilder,
  { view, columns }: ApplyStage,
  as: NameNode,
): void {
  const lower = as.name.toLowerCase()
  const isTaken =
    columns.some(({ path }) => path[0]?.toLowerCase() === lower) ||
    fieldsOf(view.resource).byLowerCase.has(pathKey([as])) ||
    findRelation(view, as) !== undefined
  if (isTaken)
    throw invalidOptionError(builder.option, as.column, message('duplicateName', { name: as.name }))
}

interface OrderColumn {
  readonly column: ApplyColumn
  readonly value: Value
  readonly descending: boolean
}

/** The sort values of the rows, as internal columns. */
function orderColumns(builder: ApplyStepBuilder, stage: ApplyStage): OrderColumn[] {
  return orderOfStage(stage).map(({ value, descending }) => ({
    column: builder.newColumn(typeOf(value) ?? 'text'),
    value,
    descending,
  }))
}

/** Turns fields and sort values into columns, since joined rows are no longer entities. */
function materializeColumns(builder: ApplyStepBuilder, stage: ApplyStage, at: Transformation) {
  const own = hasEntities(stage)
    ? outputColumns(builder, stage)
        .filter(({ column }) => !stage.columns.some(({ name }) => name === column.name))
        .map(({ column, value }) => ({
          column: builder.newColumn(column.type, column.path, column.outputPath),
          value,
        }))
    : []
  const order = orderColumns(builder, stage)
  const addedColumns = [...own, ...order]
  const columns = addedColumns.map(({ column }) => column)
  const named = addedColumns.map(({ column, value }) => ({ name: column.name, value }))
  return { stage: builder.addRowsStep(stage, at, { addedColumns: named, columns }), order }
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
  const number = builder.nextNumber(one.column)
  const records = { number, joins: [], filter: null, parent: null }
  builder.steps.push({ kind: 'records', resource: to, ...records })
  const first: ApplyStage = {
    number,
    view: { ...view, resource: to },
    columns: [],
    order: [],
    key: to.key,
    variants: null,
    copies: 1,
    mayLackGroups: false,
    groups: null,
  }
  const { all } = fieldsOf(to)
  const addedColumns = Object.values(on).flatMap((theirs) =>
    all
      .filter(({ name }) => name === theirs)
      .map((field) => ({
        column: builder.newColumn(field.type),
        value: fieldValue({ number, isJoined: false }, field),
      })),
  )
  const keys = addedColumns.map(({ column }) => column)
  const named = addedColumns.map(({ column, value }) => ({ name: column.name, value }))
  const parent = builder.addRowsStep(first, one, { addedColumns: named, columns: keys })
  const grouped = { ...parent, groups: parent.number }
  const stage =
    one.apply.length === 0 ? parent : builder.bindSequence(builder, grouped, one.apply, keys)
  if (stage.variants !== null)
    throw unsupportedError(builder.option, one.column, message('joinAlongPath'))
  return { stage, keys }
}

function joinPairs(
  { binding }: ApplyStepBuilder,
  left: ApplyStage,
  { on }: Relation,
  { stage, keys }: RelatedRows,
): JoinStep['on'] {
  const { record } = scopeOfStage(binding, left)
  const { all } = fieldsOf(left.view.resource)
  return Object.keys(on).flatMap((mine, index) => {
    const key = keys[index]
    if (key === undefined) return []
    return all
      .filter(({ name }) => name === mine)
      .map((field) => ({
        left: fieldValue(record, field),
        right: columnValue(key, stage.number),
      }))
  })
}

function isNotNull(value: Value): Condition {
  return {
    kind: 'compare',
    operator: 'ne',
    left: value,
    right: { kind: 'null' },
  }
}

/** 0 where there is a related record, and 1 where there is none. */
function variantOf(builder: ApplyStepBuilder, isThere: Condition): Value {
  const comparer = new ValueComparer(builder.binding, builder.option)
  const branches = [
    { condition: isThere, value: comparer.addLiteral(0, 'integer') },
    { condition: constant(true), value: comparer.addLiteral(1, 'integer') },
  ]
  return { kind: 'case', branches, type: 'integer' }
}

function orZero(builder: ApplyStepBuilder, value: Value): Value {
  const zero = new ValueComparer(builder.binding, builder.option).addLiteral(0, 'integer')
  const branches = [
    { condition: isNotNull(value), value },
    { condition: constant(true), value: zero },
  ]
  return { kind: 'case', branches, type: 'integer' }
}
