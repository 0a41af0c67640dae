// Binding of `$compute`: aliases that the other options may use (OData 4.01 part 2, 5.1.2).
import { Fault } from '../../../errors/catalog.ts'
import { targetAt, unreadable } from '../../odata/options/option.ts'
import type { ComputeItem } from '../../odata/expressions/syntax.ts'
import { phrase } from '../../../errors/messages.ts'
import { bindValue } from '../expressions/bind-filter.ts'
import type { Frame, NamedValue } from '../expressions/scope.ts'
import { fieldsOf, relationNamed } from '../expressions/names.ts'

/**
 * The aliases of the scope and the new ones, by their names in lower case, in the order of the text; each may use
 * those before it.
 */
export function bindCompute(
  frame: Frame,
  items: readonly ComputeItem[],
): ReadonlyMap<string, NamedValue> {
  const computed = new Map<string, NamedValue>(frame.computed)
  const { view } = frame.record
  const first = items[namesMax]
  if (first !== undefined)
    throw new Fault('FilterTooComplex', {
      target: targetAt(frame.option, first.as.column),
      says: { option: frame.option.name, limit: phrase('namesInList'), max: namesMax },
    })
  for (const { expression, as } of items) {
    const value = bindValue({ ...frame, computed }, expression)
    const name = as.name.toLowerCase()
    const isTaken =
      [...computed.keys()].some((one) => one === name || one.startsWith(`${name}/`)) ||
      fieldsOf(view.resource).byLowerCase.has(name) ||
      relationNamed(view, as) !== undefined
    if (isTaken) throw unreadable(frame.option, as.column, phrase('nameIsTaken', { name: as.name }))
    computed.set(name, { name: as.name, value })
  }
  return computed
}

/** The SQL prints an object by one function call, and PostgreSQL allows 100 arguments. */
const namesMax = 40
