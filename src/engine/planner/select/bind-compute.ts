// Binding of `$compute`: aliases that the other options may use (OData 4.01 part 2, 5.1.2).
import { invalidOptionError, tooComplexError } from '../../odata/options/option.ts'
import type { ComputeItem } from '../../odata/expressions/syntax.ts'
import { message } from '../../../errors/messages.ts'
import { bindValue } from '../expressions/bind-value.ts'
import type { NameScope, ComputedValue } from '../expressions/scope.ts'
import { findRelation } from '../expressions/names.ts'
import { fieldsOf } from '../expressions/resource-fields.ts'

/**
 * The aliases of the scope and the new ones, by their names in lower case, in the order of the text; each may use
 * those before it.
 */
export function bindCompute(scope: NameScope, items: readonly ComputeItem[]): ReadonlyMap<string, ComputedValue> {
  const computed = new Map<string, ComputedValue>(scope.computed)
  const { view } = scope.record
  const first = items[namesMax]
  if (first !== undefined) throw tooComplexError(scope.option, first.as.column, { limit: 'namesInList', max: namesMax })
  for (const { expression, as } of items) {
    const value = bindValue({ ...scope, computed }, expression)
    const name = as.name.toLowerCase()
    const isTaken =
      [...computed.keys()].some((one) => one === name || one.startsWith(`${name}/`)) ||
      fieldsOf(view.resource).byLowerCase.has(name) ||
      findRelation(view, as) !== undefined
    if (isTaken) throw invalidOptionError(scope.option, as.column, message('duplicateName', { name: as.name }))
    computed.set(name, { name: as.name, value })
  }
  return computed
}

/** The SQL prints an object by one function call, and PostgreSQL allows 100 arguments. */
const namesMax = 40
