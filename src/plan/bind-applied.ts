// The options of a query after `$apply`: they are about what came out of it, and so is the context.
import type { NestedOptions } from '#odata/syntax.ts'
import { isOfRecords, type Stage } from '#plan/apply-stage.ts'
import type { Applied } from '#plan/bind-apply.ts'
import { bindSet, outermost } from '#plan/bind-set.ts'
import type { Binding } from '#plan/binding.ts'
import type { View } from '#plan/names.ts'
import type { Computed, SetPlan } from '#plan/read-plan.ts'

export const bindApplied = (
  binding: Binding,
  view: View,
  options: NestedOptions,
  { stage }: Applied,
): SetPlan => {
  const set = bindSet(binding, outermost(view), options, stage)
  const isWhole = isOfRecords(stage)
  if (isWhole && set.selected !== null) return set
  const told = namesIn(waysOf(stage, set.computed))
  if (!isWhole) return { ...set, selected: told }
  return told.length === 0 ? set : { ...set, selected: ['*', ...told] }
}

/** In declared names, as a context has them. */
const waysOf = ({ columns }: Stage, computed: readonly Computed[]): (readonly string[])[] =>
  computed.map(({ value, as }) => {
    const name = value.kind === 'field' ? value.field : null
    return columns.find((column) => column.name === name)?.path ?? [as]
  })

/** `Avdeling(Navn),Sum`: what stands inside of the same object is named together. */
const namesIn = (ways: readonly (readonly string[])[]): string[] =>
  [...Map.groupBy(ways, ([first = '']) => first)].map(([first, those]) => {
    const inside = those.map(([, ...others]) => others).filter(({ length }) => length > 0)
    return inside.length === 0 ? first : `${first}(${namesIn(inside).join(',')})`
  })
