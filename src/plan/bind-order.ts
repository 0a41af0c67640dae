// In what order records come: as `$orderby` says, and then by key, so that no two of them are equal.
import type { Resource } from '#model/resource.ts'
import type { Dialect } from '#odata/dialect.ts'
import { Fault } from '#faults.ts'
import { phrase } from '#phrases.ts'
import { orderByOption, targetAt } from '#odata/option.ts'
import { parseOrderBy } from '#odata/order-by.ts'
import { fieldNamed } from '#plan/names.ts'
import type { Order } from '#plan/read-plan.ts'

/** A field named twice counts where it is named first; what follows the key decides nothing. */
export const bindOrder = (
  resource: Resource,
  text: string | undefined,
  dialect: Dialect,
): readonly Order[] => {
  const orders = new Map<string, Order>()
  for (const { expression, descending } of text === undefined ? [] : parseOrderBy(text, dialect)) {
    if (expression.kind !== 'name') {
      const target = targetAt(orderByOption, expression.column)
      throw new Fault('NotSupported', {
        target,
        says: { feature: phrase('orderingByExpression') },
      })
    }
    const { name } = fieldNamed(resource, expression, orderByOption)
    if (!orders.has(name) && !orders.has(resource.key))
      orders.set(name, { field: name, descending })
  }
  if (!orders.has(resource.key))
    orders.set(resource.key, { field: resource.key, descending: false })
  return [...orders.values()]
}
