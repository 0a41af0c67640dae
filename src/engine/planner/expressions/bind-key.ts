// Key binding: turns a key predicate, `Ansatt(7)` or `Avdeling(Id='10')`, into a condition.
import { kindOfType, type TypeKind } from '../../model/resource.ts'
import type { KeyPredicateValue, LiteralType } from '../../odata/expressions/syntax.ts'
import type { Binding } from '../binding.ts'
import type { QueryOption } from '../../odata/options/option.ts'
import { compareWithLiteral } from './compare-value.ts'
import { fieldValue } from './field-value.ts'
import type { ResourceView } from './names.ts'
import { fieldsOf, type NamedField } from './resource-fields.ts'
import type { Condition } from './bound-expression.ts'

/** A key predicate after a set or a relation (OData 4.01 part 2, 4.3). */
export interface KeyPredicate {
  /** The record number of the record in the plan. */
  readonly number: number
  readonly values: readonly KeyPredicateValue[]
  readonly required: readonly NamedField[]
  /** The URL part it is written in. */
  readonly option: QueryOption
}

/**
 * Null where the values cannot be a key of the resource: wrong count, names or types. `required` are the key
 * fields that must be given; the others may be.
 */
export function bindKey(
  binding: Binding,
  { resource }: ResourceView,
  { number, values, required, option }: KeyPredicate,
): Condition | null {
  const { byLowerCase } = fieldsOf(resource)
  const conditions = new Map<string, Condition>()
  for (const { name, value } of values) {
    // Only a key of one field may omit its name.
    const sole = required.length === 1 ? required[0] : undefined
    const field = name === null ? sole : byLowerCase.get(name.toLowerCase())
    if (field === undefined || !resource.key.includes(field.name)) return null
    const kind = kindOfType(field.type)
    const isText = value.type === 'text' && quotedTypes.has(kind)
    if (value.type !== literalTypeByKind[kind] && !isText) return null
    const compared = { value: fieldValue({ number, isJoined: false }, field), type: field.type, name: field.wire }
    conditions.set(field.name, compareWithLiteral({ binding, option }, 'eq', compared, value))
  }
  const isComplete = required.every(({ name }) => conditions.has(name)) && values.length === conditions.size
  return isComplete ? { kind: 'and', of: [...conditions.values()] } : null
}

/** Types whose literals may omit their prefix in a key (OData 4.01 part 2, 4.3.1). */
const quotedTypes: ReadonlySet<TypeKind> = new Set(['duration', 'enum'])

const literalTypeByKind: Readonly<Record<TypeKind, LiteralType>> = {
  text: 'text',
  integer: 'number',
  decimal: 'number',
  date: 'date',
  timestamp: 'dateTime',
  boolean: 'boolean',
  timeOfDay: 'timeOfDay',
  duration: 'duration',
  enum: 'enum',
}
