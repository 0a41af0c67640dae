// In what order records come: as `$orderby` says, and then by key, so that no two of them are equal.
import type { OrderItem } from '#odata/syntax.ts'
import { notSupported, type Binding } from '#plan/binding.ts'
import { fieldNamed, type View } from '#plan/names.ts'
import type { Order } from '#plan/read-plan.ts'

/** A field named twice counts where it is named first; what follows the whole key decides nothing. */
export const bindOrder = (
  binding: Binding,
  view: View,
  items: readonly OrderItem[] = [],
): readonly Order[] => {
  const { key } = view.resource
  const option = binding.option('orderby')
  const orders = new Map<string, Order>()
  const isTotal = () => key.every((name) => orders.has(name))
  const add = (field: string, descending: boolean) => {
    if (!isTotal() && !orders.has(field)) orders.set(field, { field, descending })
  }
  for (const { expression, descending } of items) {
    if (expression.kind !== 'name') throw notSupported('orderingByExpression', option, expression)
    add(fieldNamed(view, expression, option).name, descending)
  }
  for (const name of key) add(name, false)
  return [...orders.values()]
}
