// Output names of `$apply`: the select list in the context URL.
import { isOfRecords, type Stage } from './apply-stage.ts'
import type { Computed, SetPlan } from '../read-plan.ts'

/** Replaces the names of `$select`, where there is none. */
export function toldOf(
  stage: Stage,
  { selected, computed }: Pick<SetPlan, 'selected' | 'computed'>,
): SetPlan['selected'] {
  const isWhole = isOfRecords(stage)
  if (isWhole && selected !== null) return selected
  const told = namesIn(waysOf(stage, computed))
  if (!isWhole) return told
  return told.length === 0 ? selected : ['*', ...told]
}

/** As declared, like all names in a context URL. */
function waysOf({ columns }: Stage, computed: readonly Computed[]): (readonly string[])[] {
  return computed.map(({ value, as }) => {
    const name = value.kind === 'field' ? value.field : null
    return columns.find((column) => column.name === name)?.path ?? [as]
  })
}

/** `Avdeling(Navn),Sum`: properties of the same object are grouped. */
function namesIn(ways: readonly (readonly string[])[]): string[] {
  return [...Map.groupBy(ways, ([first = '']) => first)].map(([first, those]) => {
    const inside = those.map(([, ...others]) => others).filter(({ length }) => length > 0)
    return inside.length === 0 ? first : `${first}(${namesIn(inside).join(',')})`
  })
}
