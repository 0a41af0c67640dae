// Distinct aggregates: sums and averages that count each related record once per group.
import type { AggregateItem, NameNode, Transformation, TransformationOf } from '../../odata/expressions/syntax.ts'
import { columnValue, scopeOfStage, orderOfStage, type ApplyColumn, type ApplyStage } from './apply-stage.ts'
import type { ApplyStepBuilder } from './step-builder.ts'
import {
  aggregatesRelated,
  bindAggregateExpression,
  type BoundAggregate,
} from '../expressions/bind-aggregate-expression.ts'
import { bindValue } from '../expressions/bind-value.ts'
import { addOrdinals } from './bind-ranking.ts'
import { addLiteral } from '../binding.ts'
import { compare } from '../expressions/conditions.ts'
import { fieldValue } from '../expressions/field-value.ts'
import { joinRecord, type NameScope, type RecordRef } from '../expressions/scope.ts'
import { findRelation } from '../expressions/names.ts'
import { fieldsNamed } from '../expressions/resource-fields.ts'
import type { FieldValue } from '../expressions/bound-expression.ts'

/**
 * A stage that marks the first row of each related record, and the items bound to it (Data Aggregation 4.0, 3.2.1.1).
 */
export interface DistinctAggregates {
  readonly stage: ApplyStage
  readonly boundItems: ReadonlyMap<AggregateItem, BoundAggregate>
}

export function bindDistinctAggregates(
  builder: ApplyStepBuilder,
  stage: ApplyStage,
  transformation: TransformationOf<'aggregate'>,
): DistinctAggregates {
  let next = stage
  const firsts: FirstRows[] = []
  for (const item of transformation.items) {
    if (!aggregatesRelated(next.view, item)) continue
    const first = markFirstRows(builder, next, item, transformation)
    firsts.push(first)
    next = first.stage
  }
  // All are columns of the last of these stages.
  const boundItems = firsts.map((first): [AggregateItem, BoundAggregate] => [
    first.item,
    aggregateOfFirstRows(builder, first, next.number),
  ])
  return { stage: next, boundItems: new Map(boundItems) }
}

interface FirstRows extends Pick<BoundAggregate, 'method' | 'type'> {
  readonly item: AggregateItem
  readonly stage: ApplyStage
  readonly ordinal: ApplyColumn
  readonly valueColumn: ApplyColumn
}

function aggregateOfFirstRows(
  builder: ApplyStepBuilder,
  { ordinal, valueColumn, method, type }: FirstRows,
  number: number,
): BoundAggregate {
  const right = addLiteral(builder.binding, 1, 'integer')
  const condition = compare('eq', columnValue(ordinal, number), right)
  const branches = [{ condition, value: columnValue(valueColumn, number) }]
  return { method, type, value: { kind: 'case', branches, type: valueColumn.type } }
}

function markFirstRows(
  builder: ApplyStepBuilder,
  stage: ApplyStage,
  item: AggregateItem,
  at: Transformation,
): FirstRows {
  const { expression, method: name } = item
  const scope = scopeOfStage(builder.binding, stage)
  if (expression?.kind !== 'path' || name === null) throw new Error('a distinct aggregate without a related record')
  const value = bindValue(scope, expression)
  const computed = builder.computedColumn(value)
  const keys = relatedKey(scope, expression.names).map((one) => builder.computedColumn(one))
  const added = [computed, ...keys]
  const known = builder.addRowsStep(stage, at, { record: scope.record, added })
  const { partitionBy } = stage
  const grouped = { ...known, partitionBy: [...partitionBy, ...keys.map(({ column }) => column)] }
  const { stage: numbered, ordinal } = addOrdinals(builder, grouped, { at, order: orderOfStage(known) })
  const next = { ...numbered, partitionBy }
  const { column: valueColumn } = computed
  // Validates the method against the column itself.
  const named: ApplyColumn = { ...valueColumn, path: [hiddenName], outputPath: [hiddenName] }
  const columnNode = { kind: 'name', name: hiddenName, column: expression.column } as const
  const { method, type } = bindAggregateExpression(
    scopeOfStage(builder.binding, { ...next, columns: [...next.columns, named] }),
    { ...item, expression: columnNode },
  )
  return { item, stage: next, ordinal, valueColumn, method, type }
}

/** A name that no request can contain. */
const hiddenName = '\u{2}'

function relatedKey(scope: NameScope, names: readonly NameNode[]): FieldValue[] {
  const record = lastRelatedRecord(scope, scope.record, names)
  const { resource } = record.view
  return fieldsNamed(resource, resource.key).map((field) => fieldValue(record, field))
}

/** The record at the end of the relations that the path begins with. */
function lastRelatedRecord(scope: NameScope, from: RecordRef, [name, ...others]: readonly NameNode[]): RecordRef {
  const relation = name === undefined ? undefined : findRelation(from.view, name)
  if (name === undefined || relation === undefined) return from
  return lastRelatedRecord(scope, joinRecord(scope, from, relation, name), others)
}
