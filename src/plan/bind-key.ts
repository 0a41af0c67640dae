// The key in an address, `Ansatt(7)` or `Avdeling(Id='10')`, becomes a condition (OData 4.01 part 2, 4.3).
import type { FieldType } from '#model/resource.ts'
import { literalType } from '#odata/literals.ts'
import type { Literal, LiteralType } from '#odata/syntax.ts'
import type { Binding } from '#plan/binding.ts'
import { FieldComparer } from '#plan/compare-field.ts'
import { fieldsOf, type NamedField, type View } from '#plan/names.ts'
import type { Condition } from '#plan/read-plan.ts'

/** `text` is what stands between the brackets. Null where it can be no key of the resource. */
export const bindKey = (binding: Binding, { resource }: View, text: string): Condition | null => {
  const parts = readParts(text)
  const { all, byLowerCase } = fieldsOf(resource)
  const keys = all.filter(({ name }) => resource.key.includes(name))
  if (parts === null || parts.length !== keys.length) return null
  const comparer = new FieldComparer(binding)
  const conditions = new Map<string, Condition>()
  for (const { name, value } of parts) {
    // Only a key of one field may leave out its name.
    const field = name === null && keys.length === 1 ? keys[0] : byLowerCase.get(name ?? '')
    if (field === undefined || !keys.includes(field)) return null
    const literal = literalOf(field, value)
    if (literal === null) return null
    conditions.set(field.name, comparer.compare('eq', field, literal))
  }
  return conditions.size === keys.length ? { kind: 'and', of: [...conditions.values()] } : null
}

interface Part {
  /** In lower case; null where it is left out. */
  readonly name: string | null
  /** As written, text in its quotes. */
  readonly value: string
}

const readParts = (text: string): Part[] | null => {
  const parts: Part[] = []
  const pattern =
    /\s*(?:(?<name>[\p{L}_][\p{L}\p{N}_]*)\s*=\s*)?(?<value>'(?:[^']|'')*'|[^\s',=()]+)\s*(?<end>,|$)/uy
  for (;;) {
    const groups = pattern.exec(text)?.groups
    if (groups === undefined) return null
    const { name, value = '', end } = groups
    parts.push({ name: name?.toLowerCase() ?? null, value })
    if (end === '') return parts
  }
}

const literalOf = ({ type }: NamedField, value: string): Literal | null => {
  const isText = value.startsWith("'")
  const found = isText ? 'text' : literalType(value)
  if (found === undefined || !literals[type].includes(found)) return null
  const read = isText ? value.slice(1, -1).replaceAll("''", "'") : value
  return { kind: 'literal', type: found, value: read, column: 1 }
}

const literals: Readonly<Record<FieldType, readonly LiteralType[]>> = {
  text: ['text'],
  integer: ['number'],
  decimal: ['number'],
  date: ['date'],
  stamp: ['dateTime'],
  boolean: [],
}
