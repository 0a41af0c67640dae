// A field against literals, exactly: also where it can hold none, like 0.00001 in an amount of four places.
import { Fault } from '#faults.ts'
import { phrase, type Phrase } from '#phrases.ts'
import type { FieldType } from '#model/resource.ts'
import { targetAt, unreadable, type Option } from '#odata/option.ts'
import type { Literal } from '#odata/syntax.ts'
import type { Binding } from '#plan/binding.ts'
import type { NamedField } from '#plan/names.ts'
import { placeOf, type Place } from '#plan/place.ts'
import type {
  Comparison,
  Condition,
  FieldOperand,
  PlanValue,
  ValueOperand,
} from '#plan/read-plan.ts'

/** Compares fields with literals, and adds their values to those of the query. */
export class FieldComparer {
  readonly #binding: Binding
  readonly #option: Option

  constructor(binding: Binding) {
    this.#binding = binding
    this.#option = binding.option('filter')
  }

  compare(operator: Comparison, field: NamedField, literal: Literal): Condition {
    const left = operandOf(field)
    if (literal.type === 'null') {
      // Only equality can hold against null.
      if (operator !== 'eq' && operator !== 'ne') return constant(false)
      return { kind: 'compare', operator, left, right: { kind: 'null' } }
    }
    const place = this.#place(field, literal)
    if (place.at === 'belowAll' || place.at === 'aboveAll') {
      const holds = beyond[place.at][operator]
      return holds === 'present' ? isPresent(field) : constant(holds)
    }
    const sharper = place.at === 'value' ? operator : between[operator]
    if (typeof sharper === 'boolean') return constant(sharper)
    return { kind: 'compare', operator: sharper, left, right: this.value(place.value, field.type) }
  }

  /** Whether the field is one of the literals; null among them is met by null. */
  isAmong(field: NamedField, literals: readonly Literal[]): Condition {
    if (field.type === 'boolean')
      return { kind: 'or', of: literals.map((literal) => this.compare('eq', field, literal)) }
    const left = operandOf(field)
    const members: (string | number)[] = []
    let hasNull = false
    for (const literal of literals) {
      if (literal.type === 'null') {
        hasNull = true
        continue
      }
      const place = this.#place(field, literal)
      // A literal that the field cannot hold is no member.
      if (place.at === 'value' && typeof place.value !== 'boolean') members.push(place.value)
    }
    const isMember: Condition =
      members.length === 0
        ? constant(false)
        : { kind: 'in', left, right: this.value(members, field.type) }
    if (!hasNull) return isMember
    const isNull: Condition = { kind: 'compare', operator: 'eq', left, right: { kind: 'null' } }
    return { kind: 'or', of: [isMember, isNull] }
  }

  value(value: PlanValue, type: FieldType): ValueOperand {
    const { values } = this.#binding
    values.push(value)
    return { kind: 'value', index: values.length - 1, type }
  }

  #place(field: NamedField, { type, value, column }: Literal): Place {
    const place = placeOf(field.type, type, value, this.#binding.zone)
    if (typeof place !== 'string') return place
    const target = targetAt(this.#option, column)
    if (place === 'zone')
      throw new Fault('AmbiguousDate', {
        target,
        says: { field: field.wire, zone: this.#binding.zone },
      })
    const problem =
      place === 'day'
        ? phrase('noSuchDay')
        : phrase('isOfType', {
            field: field.wire,
            kind: kinds[field.type],
            example: this.#example(field.type),
          })
    throw unreadable(this.#option, column, problem)
  }

  #example(type: FieldType): string {
    return type === 'date' ? this.#binding.dialect.dateExample : examples[type]
  }
}

export const operandOf = ({ name, type }: NamedField): FieldOperand => ({
  kind: 'field',
  field: name,
  type,
})

export const constant = (is: boolean): Condition => ({ kind: 'constant', is })

export const isPresent = (field: NamedField): Condition =>
  field.optional
    ? { kind: 'compare', operator: 'ne', left: operandOf(field), right: { kind: 'null' } }
    : constant(true)

/** What a comparison comes to when the literal lies between a value and the next greater one. */
const between: Record<Comparison, Comparison | boolean> = {
  eq: false,
  ne: true,
  gt: 'gt',
  ge: 'gt',
  lt: 'le',
  le: 'le',
}

/** What it comes to when the literal lies beyond all values: then all fields that are not null pass, or none. */
const beyond: Record<'belowAll' | 'aboveAll', Record<Comparison, 'present' | boolean>> = {
  belowAll: { eq: false, ne: true, gt: 'present', ge: 'present', lt: false, le: false },
  aboveAll: { eq: false, ne: true, gt: false, ge: false, lt: 'present', le: 'present' },
}

const kinds: Record<FieldType, Phrase> = {
  integer: phrase('aWholeNumber'),
  decimal: phrase('aNumber'),
  date: phrase('aDate'),
  stamp: phrase('aMoment'),
  text: phrase('aText'),
  boolean: phrase('trueOrFalse'),
}

const examples: Record<Exclude<FieldType, 'date'>, string> = {
  integer: '42',
  decimal: '1234.50',
  stamp: '2024-05-01T10:00:00Z',
  text: "'42'",
  boolean: 'true',
}
