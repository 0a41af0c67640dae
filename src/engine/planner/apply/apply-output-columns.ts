// Output columns of `$apply`: named columns, and the fields of rows that are still entities.
import { columnValue, frameAt, isOfRecords, type Column, type Stage } from './apply-stage.ts'
import type { Work } from './apply-work.ts'
import { nameOf } from '../select/bind-select.ts'
import { fieldValue } from '../expressions/field-expression.ts'
import { fieldsOf, pathOf } from '../expressions/names.ts'
import type { Value } from '../expressions/expression.ts'

export interface Shown {
  readonly column: Column
  readonly value: Value
}

/** The output columns of a stage: its named columns, and the fields of entities that are returned by default. */
export function shownBy(work: Work, stage: Stage): Shown[] {
  const { number, view, columns } = stage
  const named = columns
    .filter(({ path }) => path.length > 0)
    .map((column) => ({ column, value: columnValue(column, number) }))
  if (!isOfRecords(stage)) return named
  const { record } = frameAt(work.binding, stage)
  const fields = fieldsOf(view.resource).all.filter(
    ({ onlyAsked, right }) => !onlyAsked && (right === undefined || view.rights.has(right)),
  )
  const ways = new Set(named.map(({ column }) => column.path.join('/')))
  const own = fields
    .filter((field) => !ways.has(pathOf(field).join('/')))
    .map((field) => ({
      column: {
        name: field.name,
        type: field.type,
        path: pathOf(field),
        spelled: [...pathOf(field).slice(0, -1), nameOf(field, work.binding.naming)],
      },
      value: fieldValue(record, field),
    }))
  return [...own, ...named]
}
