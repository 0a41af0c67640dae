// In what order records come: as `$orderby` says, and then by key, so that no two of them are equal.
import { unreadable } from '#odata/option.ts'
import type { OrderItem } from '#odata/syntax.ts'
import { phrase } from '#phrases.ts'
import { bindValue } from '#plan/bind-filter.ts'
import { fieldValue } from '#plan/field-value.ts'
import type { Frame } from '#plan/frame.ts'
import { fieldsOf } from '#plan/names.ts'
import type { Order, Value } from '#plan/read-plan.ts'

/** A field named twice counts where it is named first; what follows the whole of `then` decides nothing. */
export const bindOrder = (
  frame: Frame,
  items: readonly OrderItem[] = [],
  then: readonly Order[] = byKey(frame),
): readonly Order[] => {
  const { number } = frame.record
  const orders: Order[] = []
  const named = new Set<string>()
  const last = then.map(({ value }) => (value.kind === 'field' ? value.field : ''))
  const isTotal = () => last.every((name) => named.has(name))
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
  for (const { value, descending } of then) add(value, descending)
  return orders
}

const byKey = ({ record }: Frame): Order[] => {
  const { resource } = record.view
  const { all } = fieldsOf(resource)
  return resource.key.flatMap((name) =>
    all
      .filter((field) => field.name === name)
      .map((field) => ({ value: fieldValue(record, field), descending: false })),
  )
}

/** Each is worked out for every record. */
const ordersMax = 100
