// Output names of `$apply`: the select list in the context URL.
import { hasEntities, type ApplyStage } from './apply-stage.ts'
import type { ComputedField, SetPlan } from '../read-plan.ts'

/** Replaces the names of `$select`, where there is none. */
export function outputNames(
  stage: ApplyStage,
  { selected, computed }: Pick<SetPlan, 'selected' | 'computed'>,
): SetPlan['selected'] {
  const isWhole = hasEntities(stage)
  if (isWhole && selected !== null) return selected
  const names = groupNames(pathsOf(stage, computed))
  if (!isWhole) return names
  return names.length === 0 ? selected : ['*', ...names]
}

/** As declared, like all names in a context URL. */
function pathsOf(
  { columns }: ApplyStage,
  computed: readonly ComputedField[],
): (readonly string[])[] {
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
