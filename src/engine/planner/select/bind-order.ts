// Binding of `$orderby`: a total order, which ends with the key or the rest of the clustered key.
import { unreadable } from '../../odata/options/option.ts'
import type { OrderItem } from '../../odata/expressions/syntax.ts'
import { phrase } from '../../../errors/messages.ts'
import { bindValue } from '../expressions/bind-filter.ts'
import { fieldValue } from '../expressions/field-expression.ts'
import type { Frame } from '../expressions/scope.ts'
import { fieldsOf } from '../expressions/names.ts'
import type { Order, Value } from '../expressions/expression.ts'

/**
 * A field counts where it is first named; terms after the complete tie-breaker are dropped. Where `$orderby` is a
 * prefix of the clustered key, the rest of that follows before the key, so that the database need not sort.
 */
export function bindOrder(
  frame: Frame,
  items: readonly OrderItem[] = [],
  then: readonly Order[] | null = null,
): readonly Order[] {
  const { number } = frame.record
  const orders: Order[] = []
  const named = new Set<string>()
  const last = (then ?? byKey(frame)).map(({ value }) =>
    value.kind === 'field' ? value.field : '',
  )
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
    // Constants do not affect the order.
    if (value.kind === 'null' || value.kind === 'literal') continue
    add(value, descending)
  }
  if (orders.length > ordersMax)
    throw unreadable(
      frame.option,
      items[ordersMax]?.expression.column ?? 1,
      phrase('ordersAtMost', { max: ordersMax }),
    )
  const rest = then ?? restOfCluster(frame, orders) ?? byKey(frame)
  for (const { value, descending } of rest) add(value, descending)
  return orders
}

function byKey(frame: Frame): Order[] {
  return inOrder(frame, frame.record.view.resource.key, false)
}

/** Null where the terms are not a prefix of the clustered key, all in one direction. */
function restOfCluster(frame: Frame, orders: readonly Order[]): Order[] | null {
  const { view, number } = frame.record
  const { clusteredBy = [], key } = view.resource
  const [first] = orders
  if (first === undefined) return null
  const isBeginning = orders.every(
    ({ value, descending }, index) =>
      descending === first.descending &&
      value.kind === 'field' &&
      value.of === number &&
      value.field === clusteredBy[index],
  )
  return isBeginning ? inOrder(frame, [...clusteredBy, ...key], first.descending) : null
}

function inOrder({ record }: Frame, names: readonly string[], descending: boolean): Order[] {
  const { all } = fieldsOf(record.view.resource)
  return names.flatMap((name) =>
    all
      .filter((field) => field.name === name)
      .map((field) => ({ value: fieldValue(record, field), descending })),
  )
}

/** Each is computed for every record. */
const ordersMax = 100
