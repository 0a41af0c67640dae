// Comparison of complex values, field by field (OData 4.01 part 2, 5.1.1.1.1).
import { unreadable } from '../../odata/options/option.ts'
import type { Expression, Member, Members } from '../../odata/expressions/syntax.ts'
import { phrase } from '../../../errors/messages.ts'
import { allOf } from './bind-lambda.ts'
import { constant, type Comparer } from './compare-value.ts'
import { partsMeant, type Frame, type Meaning } from './scope.ts'
import { pathOf, type NamedField } from './names.ts'
import type { Condition, FieldValue } from './expression.ts'

export type CompositeMeant = Meaning & { readonly kind: 'complex' }

interface Part {
  readonly field: NamedField
  readonly value: FieldValue
  /** The path from the compared value to the field. */
  readonly path: readonly string[]
}

/** A complex value is null where all of its fields are (ADR 0080). */
export function isNullComposite(
  frame: Frame,
  meant: CompositeMeant,
  { column }: Expression,
): Condition {
  return together(
    partsMeant(frame, meant, { column }).map(({ value }) => ({
      kind: 'compare',
      operator: 'eq',
      left: value,
      right: { kind: 'null' },
    })),
  )
}

/** Both values have the same type, and all their fields are equal. */
export function areAlike(
  frame: Frame,
  [one, other]: readonly [CompositeMeant, CompositeMeant],
  { column }: Expression,
): Condition {
  if (one.composite.type !== other.composite.type)
    throw unreadable(frame.option, column, phrase('sidesDiffer'))
  const others = partsMeant(frame, other, { column })
  return together(
    partsMeant(frame, one, { column }).flatMap(({ value }, index): Condition[] => {
      const right = others[index]?.value
      return right === undefined ? [] : [{ kind: 'compare', operator: 'eq', left: value, right }]
    }),
  )
}

/** Fields that the object omits must be null in the value. */
export function isObject(
  frame: Frame,
  comparer: Comparer,
  meant: CompositeMeant,
  object: Members,
): Condition {
  const { path } = meant.composite
  const parts = partsMeant(frame, meant, object).map((part): Part => ({
    ...part,
    path: pathOf(part.field).slice(path.length),
  }))
  return new ObjectComparer(frame, comparer).compare(parts, object)
}

class ObjectComparer {
  readonly #scope: Frame
  readonly #comparer: Comparer

  constructor(frame: Frame, comparer: Comparer) {
    this.#scope = frame
    this.#comparer = comparer
  }

  compare(parts: readonly Part[], { members, column }: Members): Condition {
    const conditions: Condition[] = []
    const named = new Set<string>()
    for (const member of members) {
      const name = member.name.toLowerCase()
      const meant = parts.filter(({ path }) => path[0]?.toLowerCase() === name)
      if (meant.length === 0 || named.has(name))
        throw unreadable(this.#scope.option, member.column, phrase('noSuchPart', { name }))
      named.add(name)
      conditions.push(this.#compareMember(meant, member))
    }
    const others = parts.filter(({ path }) => !named.has(path[0]?.toLowerCase() ?? ''))
    const nothing = { kind: 'literal', type: 'null', value: 'null', column } as const
    return together([...conditions, ...others.map((part) => this.#compareLiteral(part, nothing))])
  }

  #compareMember(meant: readonly Part[], { value }: Member): Condition {
    const [part] = meant
    if (value.kind === 'object') {
      const inside = meant.map((one) => ({ ...one, path: one.path.slice(1) }))
      if (inside.every(({ path }) => path.length > 0)) return this.compare(inside, value)
    }
    if (part?.path.length === 1) return this.#compareLiteral(part, value)
    throw unreadable(this.#scope.option, value.column, phrase('sidesDiffer'))
  }

  #compareLiteral({ field, value }: Part, literal: Expression): Condition {
    if (literal.kind !== 'literal')
      throw unreadable(this.#scope.option, literal.column, phrase('expectedLiteral'))
    return this.#comparer.compare('eq', { value, type: field.type, name: field.wire }, literal)
  }
}

function together(conditions: readonly Condition[]): Condition {
  return allOf(conditions) ?? constant(true)
}
