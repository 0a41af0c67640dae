// Binding of `$select`: the fields to return, each once, and their names in the response.
import { selectOption, unsupportedError } from '../../odata/options/option.ts'
import type { NameNode, SelectItem } from '../../odata/expressions/syntax.ts'
import { createScope } from '../expressions/bind-filter.ts'
import type { NameScope } from '../expressions/scope.ts'
import { type ResourceView } from '../expressions/names.ts'
import { type NamedComplexProperty } from '../expressions/resource-fields.ts'
import type { SetPlan } from '../read-plan.ts'
import { selectDefaultFields, toComputedFields, SelectListBuilder } from './select-list.ts'

/**
 * Without `$select`, and for `*`: all fields that are returned by default and that the caller may read, in the order
 * of the model, and the `$compute` aliases. A selected relation only adds its name to the context URL.
 */
export function bindSelect(
  scope: NameScope,
  items: readonly SelectItem[] | undefined,
): Pick<SetPlan, 'select' | 'selected' | 'computed'> {
  const { binding, computed } = scope
  if (items !== undefined) return new SelectListBuilder(scope).build(toPaths(scope, items, []))
  return {
    select: selectDefaultFields(binding.naming, scope.record.view),
    selected: null,
    computed: toComputedFields(computed),
  }
}

/** Selects fields of a complex property: all of them, or the selected ones. */
export function bindComplexSelect(
  binding: NameScope['binding'],
  view: ResourceView,
  { path }: NamedComplexProperty,
  items: readonly SelectItem[] | undefined,
): Pick<SetPlan, 'select' | 'selected'> {
  const record = { view, number: 0, joins: [], isJoined: false }
  const scope = { ...createScope(binding, record, record), option: selectOption }
  const prefix = path.map((name): NameNode => ({ kind: 'name', name, column: 1 }))
  const paths = items === undefined ? [prefix] : toPaths(scope, items, prefix)
  const { select, selected } = new SelectListBuilder(scope).build(paths)
  const depth = path.join('/').length + 1
  const inside = selected.map((name) => name.slice(depth))
  return { select, selected: items === undefined ? null : inside }
}

/** `Home($select=City,Street)` is `Home/City,Home/Street`. */
function toPaths(scope: NameScope, items: readonly SelectItem[], prefix: readonly NameNode[]): (readonly NameNode[])[] {
  return items.flatMap(({ path: itemPath, options }) => {
    const path = prefix.length === 0 ? itemPath : [...prefix, ...itemPath]
    const { select, aliases: _aliases, ...others } = options
    const [last = { column: 1 }] = itemPath.slice(-1)
    if (Object.keys(others).length > 0) throw unsupportedError(scope.option, last.column, 'aNestedSelect')
    return select === undefined ? [path] : toPaths(scope, select, path)
  })
}
