// In what order records come: as `$orderby` says, and then by key, so that no two of them are equal.
import { unreadable } from '#odata/option.ts'
import type { OrderItem } from '#odata/syntax.ts'
import { phrase } from '#phrases.ts'
import { bindValue } from '#plan/bind-filter.ts'
import { fieldValue, type Frame } from '#plan/frame.ts'
import { fieldsOf } from '#plan/names.ts'
import type { Order, Value } from '#plan/read-plan.ts'

/** A field named twice counts where it is named first; what follows the whole key decides nothing. */
export const bindOrder = (frame: Frame, items: readonly OrderItem[] = []): readonly Order[] => {
  const { view, number } = frame.record
  const { key } = view.resource
  const orders: Order[] = []
  const named = new Set<string>()
  const isTotal = () => key.every((name) => named.has(name))
  const add = (value: Value, descending: boolean) => {
    if (isTotal()) return
    if (value.kind === 'field' && value.of === number) {
      if (named.has(value.field)) return
      named.add(value.field)
    }
    orders.push({ value, descending })
  }
  for (const { expression, descending } of items) {
    const value = bindValue(frame, expression)
    // A literal orders nothing.
    if (value.kind === 'null' || value.kind === 'literal') continue
    add(value, descending)
  }
  if (orders.length > ordersMax)
    throw unreadable(
      frame.option,
      items[ordersMax]?.expression.column ?? 1,
      phrase('ordersAtMost', { max: ordersMax }),
    )
  const { all } = fieldsOf(view.resource)
  for (const name of key)
    for (const field of all) if (field.name === name) add(fieldValue(frame.record, field), false)
  return orders
}

/** Each is worked out for every record. */
const ordersMax = 100
