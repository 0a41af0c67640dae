// Comparison of complex values, field by field (OData 4.01 part 2, 5.1.1.1.1).
import { invalidOptionError } from '../../odata/options/option.ts'
import type { Expression, ObjectMember, ObjectNode } from '../../odata/expressions/syntax.ts'
import { message } from '../../../errors/messages.ts'
import { compareWithLiteral } from './compare-value.ts'
import { compare, conjunctionOf, constant, nullCondition } from './conditions.ts'
import { complexFieldValues, type NameScope, type ResolvedName } from './scope.ts'
import { pathOf, type NamedField } from './resource-fields.ts'
import type { Condition, FieldValue } from './bound-expression.ts'

export type ResolvedComplexProperty = ResolvedName & { readonly kind: 'complex' }

interface ComplexField {
  readonly field: NamedField
  readonly value: FieldValue
  /** The path from the compared value to the field. */
  readonly path: readonly string[]
}

/** A complex value is null where all of its fields are (ADR 0027). */
export function bindComplexIsNull(
  scope: NameScope,
  complex: ResolvedComplexProperty,
  { column }: Expression,
): Condition {
  return conjunction(complexFieldValues(scope, complex, { column }).map(({ value }) => nullCondition(value)))
}

/** Both values have the same type, and all their fields are equal. */
export function bindComplexEquals(
  scope: NameScope,
  [one, other]: readonly [ResolvedComplexProperty, ResolvedComplexProperty],
  { column }: Expression,
): Condition {
  if (one.complexProperty.type !== other.complexProperty.type)
    throw invalidOptionError(scope.option, column, 'operandTypesDiffer')
  const others = complexFieldValues(scope, other, { column })
  return conjunction(
    complexFieldValues(scope, one, { column }).flatMap(({ value }, index): Condition[] => {
      const right = others[index]?.value
      return right === undefined ? [] : [compare('eq', value, right)]
    }),
  )
}

/** Fields that the object omits must be null in the value. */
export function bindEqualsObject(scope: NameScope, complex: ResolvedComplexProperty, object: ObjectNode): Condition {
  const { path } = complex.complexProperty
  const fields = complexFieldValues(scope, complex, object).map((part): ComplexField => ({
    ...part,
    path: pathOf(part.field).slice(path.length),
  }))
  return compareFields(scope, fields, object)
}

function compareFields(scope: NameScope, fields: readonly ComplexField[], { members, column }: ObjectNode): Condition {
  const conditions: Condition[] = []
  const named = new Set<string>()
  for (const member of members) {
    const name = member.name.toLowerCase()
    const compared = fields.filter(({ path }) => path[0]?.toLowerCase() === name)
    if (compared.length === 0 || named.has(name))
      throw invalidOptionError(scope.option, member.column, message('noSuchPart', { name }))
    named.add(name)
    conditions.push(compareMember(scope, compared, member))
  }
  const others = fields.filter(({ path }) => !named.has(path[0]?.toLowerCase() ?? ''))
  const nothing = { kind: 'literal', type: 'null', value: 'null', column } as const
  return conjunction([...conditions, ...others.map((part) => compareLiteral(scope, part, nothing))])
}

function compareMember(scope: NameScope, fields: readonly ComplexField[], { value }: ObjectMember): Condition {
  const [part] = fields
  if (value.kind === 'object') {
    const inside = fields.map((one) => ({ ...one, path: one.path.slice(1) }))
    if (inside.every(({ path }) => path.length > 0)) return compareFields(scope, inside, value)
  }
  if (part?.path.length === 1) return compareLiteral(scope, part, value)
  throw invalidOptionError(scope.option, value.column, 'operandTypesDiffer')
}

function compareLiteral(scope: NameScope, { field, value }: ComplexField, literal: Expression): Condition {
  if (literal.kind !== 'literal') throw invalidOptionError(scope.option, literal.column, 'expectedLiteral')
  return compareWithLiteral(scope, 'eq', { value, type: field.type, name: field.wire }, literal)
}

function conjunction(conditions: readonly Condition[]): Condition {
  return conjunctionOf(conditions) ?? constant(true)
}
