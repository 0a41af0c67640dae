// The key in an address, `Ansatt(7)` or `Avdeling(Id='10')`, becomes a condition (OData 4.01 part 2, 4.3).
import type { FieldType } from '#model/resource.ts'
import type { KeyValue } from '#odata/resource-path.ts'
import type { LiteralType } from '#odata/syntax.ts'
import type { Binding } from '#plan/binding.ts'
import { filterOption } from '#odata/option.ts'
import { Comparer } from '#plan/compare-value.ts'
import { fieldValue } from '#plan/frame.ts'
import { fieldsOf, type View } from '#plan/names.ts'
import type { Condition } from '#plan/read-plan.ts'

/** Null where the values can be no key of the resource: the wrong number of them, other names, other types. */
export const bindKey = (
  binding: Binding,
  { resource }: View,
  values: readonly KeyValue[],
): Condition | null => {
  const { all, byLowerCase } = fieldsOf(resource)
  const keys = all.filter(({ name }) => resource.key.includes(name))
  const comparer = new Comparer(binding, filterOption)
  const conditions = new Map<string, Condition>()
  for (const { name, value } of values) {
    // Only a key of one field may leave out its name.
    const sole = keys.length === 1 ? keys[0] : undefined
    const field = name === null ? sole : byLowerCase.get(name.toLowerCase())
    if (field === undefined || !keys.includes(field)) return null
    if (value.type !== literals[field.type]) return null
    const compared = { value: fieldValue(own, field), type: field.type, name: field.wire }
    conditions.set(field.name, comparer.compare('eq', compared, value))
  }
  const isWhole = conditions.size === keys.length && values.length === keys.length
  return isWhole ? { kind: 'and', of: [...conditions.values()] } : null
}

/** The record of the set that the address names. */
const own = { number: 0, isJoined: false }

const literals: Readonly<Record<FieldType, LiteralType>> = {
  text: 'text',
  integer: 'number',
  decimal: 'number',
  date: 'date',
  stamp: 'dateTime',
  boolean: 'boolean',
}
