// Binding of `$orderby`: a total order, which ends with the key or the rest of the clustered key.
import { invalidOptionError } from '../../odata/options/option.ts'
import type { OrderItem } from '../../odata/expressions/syntax.ts'
import { message } from '../../../errors/messages.ts'
import { bindValue } from '../expressions/bind-value.ts'
import { fieldValue } from '../expressions/field-value.ts'
import type { NameScope } from '../expressions/scope.ts'
import { fieldsNamed } from '../expressions/resource-fields.ts'
import type { SortTerm, Value } from '../expressions/bound-expression.ts'

/**
 * A field counts at its first place; nothing follows once the order is total. Where `$orderby` is a
 * prefix of the clustered key, the rest of that follows before the key, so that the database need not sort.
 */
export function bindOrder(
  scope: NameScope,
  items: readonly OrderItem[] = [],
  tieBreakers: readonly SortTerm[] | null = null,
): readonly SortTerm[] {
  const { number } = scope.record
  const terms: SortTerm[] = []
  const named = new Set<string>()
  const key = (tieBreakers ?? keyTerms(scope)).map(({ value }) => (value.kind === 'field' ? value.field : ''))
  const isTotal = () => key.every((name) => named.has(name))
  const add = (value: Value, descending: boolean) => {
    if (isTotal()) return
    if (value.kind === 'field' && value.recordNumber === number) {
      if (named.has(value.field)) return
      named.add(value.field)
    }
    terms.push({ value, descending })
  }
  for (const { expression, descending } of items) {
    const value = bindValue(scope, expression)
    // Constants do not affect the order.
    if (value.kind === 'null' || value.kind === 'literal') continue
    add(value, descending)
  }
  if (terms.length > ordersMax)
    throw invalidOptionError(
      scope.option,
      items[ordersMax]?.expression.column ?? 1,
      message('ordersAtMost', { max: ordersMax }),
    )
  const rest = tieBreakers ?? remainingClusteredKey(scope, terms) ?? keyTerms(scope)
  for (const { value, descending } of rest) add(value, descending)
  return terms
}

function keyTerms(scope: NameScope): SortTerm[] {
  return toSortTerms(scope, scope.record.view.resource.key, false)
}

/** Null where the terms are not a prefix of the clustered key, all in one direction. */
function remainingClusteredKey(scope: NameScope, terms: readonly SortTerm[]): SortTerm[] | null {
  const { view, number } = scope.record
  const { clusteredBy = [], key } = view.resource
  const [first] = terms
  if (first === undefined) return null
  const isBeginning = terms.every(
    ({ value, descending }, index) =>
      descending === first.descending &&
      value.kind === 'field' &&
      value.recordNumber === number &&
      value.field === clusteredBy[index],
  )
  return isBeginning ? toSortTerms(scope, [...clusteredBy, ...key], first.descending) : null
}

function toSortTerms({ record }: NameScope, names: readonly string[], descending: boolean): SortTerm[] {
  return fieldsNamed(record.view.resource, names).map((field) => ({ value: fieldValue(record, field), descending }))
}

/** Each is computed for every record. */
const ordersMax = 100
