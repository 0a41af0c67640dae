// Exact comparison of a value with literals, also with those that its type cannot represent.
import { Fault } from '../../../errors/catalog.ts'
import { nearest } from '../../../lib/closest-match.ts'
import { phrase, type Phrase, type PhraseCode } from '../../../errors/messages.ts'
import { literalType, literalWords, quotedTypeOf } from '../../odata/lexer/literals.ts'
import { shown, targetAt, unreadable, type Option } from '../../odata/options/option.ts'
import type { Literal } from '../../odata/expressions/syntax.ts'
import type { Binding } from '../binding.ts'
import { kindOfValue } from './expression.ts'
import { placeOf, type Place, type PlaceProblem } from './literal-range.ts'
import type {
  Comparison,
  Condition,
  LiteralValue,
  PlanValue,
  Value,
  ValueKind,
  ValueType,
} from './expression.ts'

/** The value that is compared, and its name in errors; null for an expression. */
export interface Compared {
  readonly value: Value
  readonly type: ValueType
  readonly name: string | null
}

/** Binds comparisons of values with literals, and adds the literals to the values of the query. */
export class Comparer {
  readonly #binding: Binding
  readonly #option: Option

  constructor(binding: Binding, option: Option) {
    this.#binding = binding
    this.#option = option
  }

  compare(operator: Comparison, compared: Compared, literal: Literal): Condition {
    const { value: left, type } = compared
    if (literal.type === 'null') {
      // Only equality can be true for null.
      if (operator !== 'eq' && operator !== 'ne') return constant(false)
      return { kind: 'compare', operator, left, right: { kind: 'null' } }
    }
    // NaN equals nothing, not even itself (OData 4.01 part 2, 5.1.1.1).
    if (literal.type === 'number' && literal.value === 'NaN') return constant(operator === 'ne')
    const place = this.#locate(compared, literal)
    if (place.at === 'belowAll' || place.at === 'aboveAll') {
      const holds = beyond[place.at][operator]
      return holds === 'present' ? isPresent(left) : constant(holds)
    }
    const sharper = place.at === 'value' ? operator : between[operator]
    if (typeof sharper === 'boolean') return constant(sharper)
    return { kind: 'compare', operator: sharper, left, right: this.value(place.value, type) }
  }

  /** Whether the value is one of the literals; a null literal matches null. */
  isAmong(compared: Compared, literals: readonly Literal[]): Condition {
    const { value: left, type } = compared
    if (type === 'boolean')
      return { kind: 'or', of: literals.map((literal) => this.compare('eq', compared, literal)) }
    const members: (string | number)[] = []
    let hasNull = false
    for (const literal of literals) {
      if (literal.type === 'null') {
        hasNull = true
        continue
      }
      const place = this.#locate(compared, literal)
      // A literal that the type cannot represent matches nothing.
      if (place.at === 'value' && typeof place.value !== 'boolean') members.push(place.value)
    }
    const isMember: Condition =
      members.length === 0
        ? constant(false)
        : { kind: 'in', left, right: this.value(members, type) }
    if (!hasNull) return isMember
    const isNull: Condition = { kind: 'compare', operator: 'eq', left, right: { kind: 'null' } }
    return { kind: 'or', of: [isMember, isNull] }
  }

  value(value: PlanValue, type: ValueType): LiteralValue {
    const { values } = this.#binding
    values.push(value)
    return { kind: 'literal', index: values.length - 1, type }
  }

  #locate({ type, name }: Compared, literal: Literal): Place {
    const { dialect, zone } = this.#binding
    const own = this.#isOtherEnumeration(type, literal)
      ? 'type'
      : placeOf(type, literal.type, literal.value, zone)
    const place = own === 'type' && dialect.castsText ? this.#locateText(type, literal) : own
    if (typeof place !== 'string') return place
    const { column } = literal
    if (place === 'zone')
      throw new Fault('AmbiguousDate', {
        target: targetAt(this.#option, column),
        says: { field: name ?? literal.value, zone: this.#binding.zone },
      })
    if (place === 'day') throw unreadable(this.#option, column, phrase('noSuchDay'))
    if (place === 'member') throw noSuchMember(this.#option, type, literal)
    if (name === null) throw unreadable(this.#option, column, phrase('sidesDiffer'))
    const says = { field: name, kind: typePhrase(type), example: this.#example(type) }
    throw unreadable(this.#option, column, phrase('isOfType', says))
  }

  /** The literal has the prefix of another enumeration. */
  #isOtherEnumeration(type: ValueType, { of }: Literal): boolean {
    if (of === undefined || typeof type === 'string') return false
    return of.toLowerCase() !== `${this.#binding.namespace}.${type.wire}`.toLowerCase()
  }

  #locateText(type: ValueType, { type: given, value }: Literal): Place | PlaceProblem {
    if (typeof type === 'object')
      return given === 'text' ? placeOf(type, 'enum', value, this.#binding.zone) : 'type'
    const own = literalWords.get(value.toLowerCase()) ?? literalType(value) ?? quotedTypeOf(value)
    if (given !== 'text' || own === undefined) return 'type'
    return placeOf(type, own, value, this.#binding.zone)
  }

  #example(type: ValueType): string {
    if (type === 'date') return this.#binding.dialect.dateExample
    return typeof type === 'string'
      ? examples[type]
      : `${this.#binding.namespace}.${type.wire}'${Object.keys(type.members)[0] ?? '0'}'`
  }
}

export function noSuchMember(option: Option, type: ValueType, { value, column }: Literal): Fault {
  const members = typeof type === 'string' ? [] : Object.keys(type.members)
  const problem = phrase('noSuchMember', { name: shown(value) })
  return unreadable(option, column, problem, nearest(value, members))
}

export function constant(is: boolean): Condition {
  return { kind: 'constant', is }
}

export function isPresent(value: Value): Condition {
  return canBeNull(value)
    ? { kind: 'compare', operator: 'ne', left: value, right: { kind: 'null' } }
    : constant(true)
}

export function canBeNull(value: Value): boolean {
  if (value.kind === 'field') return value.isOptional
  return value.kind !== 'literal' && value.kind !== 'truth' && value.kind !== 'count'
}

/** The comparison to use when the literal lies between a value and the next greater one. */
const between: Record<Comparison, Comparison | boolean> = {
  eq: false,
  ne: true,
  gt: 'gt',
  ge: 'gt',
  lt: 'le',
  le: 'le',
}

/** The result when the literal lies beyond all values: all values that are not null match, or none. */
const beyond: Record<'belowAll' | 'aboveAll', Record<Comparison, 'present' | boolean>> = {
  belowAll: { eq: false, ne: true, gt: 'present', ge: 'present', lt: false, le: false },
  aboveAll: { eq: false, ne: true, gt: false, ge: false, lt: 'present', le: 'present' },
}

const kinds: Record<ValueKind, PhraseCode> = {
  integer: 'aWholeNumber',
  decimal: 'aNumber',
  seconds: 'aNumber',
  date: 'aDate',
  stamp: 'aMoment',
  timeOfDay: 'aTimeOfDay',
  duration: 'aDuration',
  text: 'aText',
  boolean: 'trueOrFalse',
  enum: 'aMember',
}

/** The name of a type in error messages. */
export function typePhrase(type: ValueType): Phrase {
  return phrase(kinds[kindOfValue(type)])
}

const examples: Record<Exclude<ValueKind, 'date' | 'enum'>, string> = {
  integer: '42',
  decimal: '1234.50',
  seconds: '1.5',
  stamp: '2024-05-01T10:00:00Z',
  timeOfDay: '10:00:00',
  duration: "duration'PT8H'",
  text: "'42'",
  boolean: 'true',
}
