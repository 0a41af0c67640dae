// Output columns of `$apply`: named columns, and the fields of rows that are still entities.
import {
  columnValue,
  scopeOfStage,
  hasEntities,
  type ApplyColumn,
  type ApplyStage,
} from './apply-stage.ts'
import type { ApplyStepBuilder } from './apply-work.ts'
import { outputName } from '../select/bind-select.ts'
import { fieldValue } from '../expressions/field-expression.ts'
import { fieldsOf, pathOf } from '../expressions/names.ts'
import type { Value } from '../expressions/expression.ts'

export interface OutputColumn {
  readonly column: ApplyColumn
  readonly value: Value
}

/** The output columns of a stage: its named columns, and the fields of entities that are returned by default. */
export function outputColumns(builder: ApplyStepBuilder, stage: ApplyStage): OutputColumn[] {
  const { number, view, columns } = stage
  const named = columns
    .filter(({ path }) => path.length > 0)
    .map((column) => ({ column, value: columnValue(column, number) }))
  if (!hasEntities(stage)) return named
  const { record } = scopeOfStage(builder.binding, stage)
  const fields = fieldsOf(view.resource).all.filter(
    ({ onlyWhenSelected, right }) =>
      !onlyWhenSelected && (right === undefined || view.rights.has(right)),
  )
  const paths = new Set(named.map(({ column }) => column.path.join('/')))
  const own = fields
    .filter((field) => !paths.has(pathOf(field).join('/')))
    .map((field) => ({
      column: {
        name: field.name,
        type: field.type,
        path: pathOf(field),
        outputPath: [...pathOf(field).slice(0, -1), outputName(field, builder.binding.naming)],
      },
      value: fieldValue(record, field),
    }))
  return [...own, ...named]
}
