// Output of `$apply`: its columns, the fields of rows that are still entities, and their names.
import { columnValue, scopeOfStage, hasEntities, type ApplyStage } from './apply-stage.ts'
import type { ApplyStepBuilder, ComputedColumn } from './step-builder.ts'
import { outputName } from '../select/select-list.ts'
import { fieldValue } from '../expressions/field-value.ts'
import { defaultFieldsOf } from '../expressions/names.ts'
import { columnKey, pathOf } from '../expressions/resource-fields.ts'
import type { ComputedField, SetPlan } from '../read-plan.ts'

/** The output columns of a stage: its named columns, and the fields of entities that are returned by default. */
export function outputColumns(builder: ApplyStepBuilder, stage: ApplyStage): ComputedColumn[] {
  const { number, view, columns } = stage
  const named = columns
    .filter(({ path }) => path.length > 0)
    .map((column) => ({ column, value: columnValue(column, number) }))
  if (!hasEntities(stage)) return named
  const { record } = scopeOfStage(builder.binding, stage)
  const paths = new Set(named.map(({ column }) => columnKey(column.path)))
  const own = defaultFieldsOf(view)
    .filter((field) => !paths.has(columnKey(pathOf(field))))
    .map((field) => {
      const { name, type } = field
      const path = pathOf(field)
      const outputPath = [...path.slice(0, -1), outputName(field, builder.binding.naming)]
      return { column: { name, type, path, outputPath, operations: 0 }, value: fieldValue(record, field) }
    })
  return [...own, ...named]
}

/** The select list in the context URL; replaces the names of `$select`, where there is none. */
export function outputNames(
  stage: ApplyStage,
  { selected, computed }: Pick<SetPlan, 'selected' | 'computed'>,
): SetPlan['selected'] {
  const isOfEntities = hasEntities(stage)
  if (isOfEntities && selected !== null) return selected
  const names = groupNames(pathsOf(stage, computed))
  if (!isOfEntities) return names
  return names.length === 0 ? selected : ['*', ...names]
}

/** As declared, like all names in a context URL. */
function pathsOf({ columns }: ApplyStage, computed: readonly ComputedField[]): (readonly string[])[] {
  return computed.map(({ value, as }) => {
    const name = value.kind === 'field' ? value.field : null
    return columns.find((column) => column.name === name)?.path ?? [as]
  })
}

/** `Avdeling(Navn),Sum`: properties of the same object are grouped. */
function groupNames(paths: readonly (readonly string[])[]): string[] {
  return [...Map.groupBy(paths, ([first = '']) => first)].map(([first, group]) => {
    const inside = group.map(([, ...others]) => others).filter(({ length }) => length > 0)
    return inside.length === 0 ? first : `${first}(${groupNames(inside).join(',')})`
  })
}
