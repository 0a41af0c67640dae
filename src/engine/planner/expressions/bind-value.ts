// Value binding: turns an expression into a typed value; names become fields.
import { Fault } from '../../../errors/catalog.ts'
import { phrase, type PhraseCode, type Says } from '../../../errors/messages.ts'
import { dayNumber, yearMax, yearMin } from '../../../lib/calendar.ts'
import { readDateTime } from '../../../lib/date-time.ts'
import { enumerationNamed } from '../../model/schema.ts'
import { Complexity, expressionLimits } from '../../odata/expressions/complexity.ts'
import type { Operator } from '../../odata/expressions/operators.ts'
import { targetAt, unreadable, unsupported } from '../../odata/options/option.ts'
import type {
  AggregatedMany,
  Call,
  Choice,
  Count,
  Expression,
  Literal,
  LiteralType,
  Operation,
} from '../../odata/expressions/syntax.ts'
import { allAlike, call, isNumber, operated, typeOf, type Arithmetic } from './arithmetic.ts'
import { castTo, isOfType } from '../casts.ts'
import { Comparer, isPresent, noSuchMember, typePhrase } from './compare-value.ts'
import { meaningOf, type Frame } from './scope.ts'
import { readDigits } from './digits.ts'
import { placeOf } from './literal-range.ts'
import type { Condition, Related, Value, ValueType } from './expression.ts'
import { sizeOf } from './size.ts'
import { argumentType, isValueFunction, signatureFor } from './value-calls.ts'

/** Binds the parts of a value that are conditions or collections. */
export interface Conditions {
  truth(node: Expression, wanted: boolean): Condition
  related(count: Count): Related
  aggregated(node: AggregatedMany): Value
}

const nothing: Value = { kind: 'null' }

export class ValueBinder {
  readonly #scope: Frame
  readonly #conditions: Conditions
  readonly #comparer: Comparer

  constructor(frame: Frame, conditions: Conditions) {
    this.#scope = frame
    this.#conditions = conditions
    this.#comparer = new Comparer(frame.binding, frame.option)
  }

  /** `expectedType` is the type for literals that fit several. */
  value(node: Expression, wanted?: ValueType): Value {
    switch (node.kind) {
      case 'literal':
        return this.#bindLiteral(node, wanted)
      case 'name':
        return this.#bindPath(node, [node])
      case 'path':
        return this.#bindPath(node, node.names)
      case 'operation':
        return this.#bindOperation(node, wanted)
      case 'call':
        return this.#bindCall(node)
      case 'case':
        return this.#bindCase(node, wanted)
      case 'count':
        return this.#scope.these.get(node) ?? { kind: 'count', of: this.#conditions.related(node) }
      case 'aggregate':
        return this.#scope.these.get(node) ?? this.#conditions.aggregated(node)
      case 'lambda':
        return { kind: 'truth', of: this.#conditions.truth(node, true) }
    }
    throw this.#unsupported(node.column, unboundKinds[node.kind])
  }

  /** Binds two operands, each literal to the type of the other operand. */
  pair(left: Expression, right: Expression): readonly [Value, Value] {
    if (isLiteral(left) && !isLiteral(right)) {
      const other = this.value(right)
      return [this.value(left, typeOf(other) ?? undefined), other]
    }
    const one = this.value(left)
    return [one, this.value(right, typeOf(one) ?? undefined)]
  }

  #bindPath(node: Expression, names: Parameters<typeof meaningOf>[1]): Value {
    const meaning = meaningOf(this.#scope, names)
    if (meaning.kind === 'computed') this.#addComplexity(sizeOf(meaning.value), node.column)
    if (meaning.kind === 'field' || meaning.kind === 'computed') return meaning.value
    const last = names.at(-1) ?? node
    throw this.#invalid(last.column, 'expectedField')
  }

  /** An alias stands for its whole expression, so that aliases of aliases could double the size at each step. */
  #addComplexity(nodes: number, column: number): void {
    const { binding, option } = this.#scope
    binding.spent.nodes += nodes
    if (binding.spent.nodes > expressionLimits.nodes)
      throw new Complexity(option).exceeds('nodes', column)
  }

  #bindOperation(node: Operation, wanted: ValueType | undefined): Value {
    const { operator, operands, column } = node
    const [left, right] = operands
    if (left === undefined) throw new Error('an operator has no operand')
    if (operator === '-') return this.#bindNegation(node, left, wanted)
    if (operator === 'and' || operator === 'or' || operator === 'not') return this.#bindLogic(node)
    if (operator === 'has' && right !== undefined) return this.#bindHas(left, right, column)
    if (right === undefined || !isArithmetic(operator))
      return { kind: 'truth', of: this.#conditions.truth(node, true) }
    if (divides.has(operator) && isZero(right)) throw this.#invalid(right.column, 'dividesByZero')
    const [one, other] = this.pair(left, right)
    const value = operated(operator, one, other)
    if (value !== undefined) return value
    throw this.#invalid(column, 'operatorTakesNot', {
      operator,
      one: typePhrase(typeOf(one) ?? 'integer'),
      other: typePhrase(typeOf(other) ?? 'integer'),
    })
  }

  /** True where all flags of the right side are set on the left side (5.1.1.1.9). */
  #bindHas(left: Expression, right: Expression, column: number): Value {
    const [one, other] = this.pair(left, right)
    const [type, wanted] = [typeOf(one), typeOf(other)]
    if (type === null || wanted === null) return nothing
    if (typeof type === 'object' && type === wanted) return call('hasFlags', 'boolean', one, other)
    const says = { operator: 'has', one: typePhrase(type), other: typePhrase(wanted) }
    throw this.#invalid(column, 'operatorTakesNot', says)
  }

  #bindNegation(node: Operation, of: Expression, wanted: ValueType | undefined): Value {
    const value = this.value(of, wanted)
    const type = typeOf(value)
    if (type === null) return nothing
    if (isNumber(type) || type === 'duration') return call('negated', type, value)
    throw this.#invalid(node.column, 'operatorTakes', {
      operator: '-',
      kind: typePhrase('decimal'),
    })
  }

  /** Three-valued logic: null is unknown (5.1.1.1.7). */
  #bindLogic({ operator, operands }: Operation): Value {
    const name = operator === 'and' || operator === 'or' ? operator : 'not'
    return call(name, 'boolean', ...operands.map((operand) => this.boolean(operand)))
  }

  boolean(node: Expression): Value {
    const value = this.value(node, 'boolean')
    const type = typeOf(value)
    if (type === null || type === 'boolean') return value
    throw this.#invalid(node.column, 'expectedCondition')
  }

  #bindCall(node: Call): Value {
    const { name, args, column } = node
    const moment = this.#bindTimestampFunction(node)
    if (moment !== undefined) return moment
    if (name === 'cast' || name === 'isof') return this.#bindTypeFunction(node)
    if (name === 'totaloffsetminutes') return this.#bindOffset(args[0] ?? node)
    if (!isValueFunction(name)) throw this.#notSupported(column, name)
    const values = args.map((arg, index) => this.value(arg, argumentType(name, index)))
    const [first, , third] = args
    if (name === 'substring' && third !== undefined && isNegative(third))
      throw this.#invalid(third.column, 'expectedCount')
    if (dateParts.has(name) && first !== undefined) this.#requireUtc(first)
    const signature = signatureFor(name, values)
    if (signature === undefined) throw this.#invalid(column, 'functionTakesNot', { name })
    // Every function of null is null.
    return values.some(({ kind }) => kind === 'null') ? nothing : signature.gives(...values)
  }

  /** `cast` and `isof`: the type is the second argument; no resource has derived types. */
  #bindTypeFunction({ name, args: [of, type], column }: Call): Value {
    if (of === undefined || type === undefined || !isLiteral(type))
      throw this.#notSupported(column, name)
    const value = this.value(of)
    const given = typeOf(value)
    if (name === 'isof') {
      const isSo = given === null ? undefined : isOfType(type.value, given)
      if (isSo === undefined) throw this.#notSupported(column, name)
      return { kind: 'truth', of: isSo ? isPresent(value) : { kind: 'constant', is: false } }
    }
    const cast = castTo(type.value, value)
    if (cast === undefined) throw this.#notSupported(column, name)
    return cast
  }

  /** `now()`, and the first and the last timestamp that the service stores (ADR 0005). */
  #bindTimestampFunction({ name }: Call): Value | undefined {
    if (name === 'now') return this.#comparer.value(this.#scope.binding.clock(), 'stamp')
    const moment = ends.get(name)
    return moment === undefined ? undefined : this.#comparer.value(moment, 'stamp')
  }

  /** Timestamps are stored in UTC, so only a literal can have another offset. */
  #bindOffset(node: Expression): Value {
    const value = this.value(node)
    if (typeOf(value) === null) return nothing
    if (typeOf(value) !== 'stamp')
      throw this.#invalid(node.column, 'functionTakesNot', { name: 'totaloffsetminutes' })
    const minutes = isLiteral(node) ? (readDateTime(node.value)?.offset ?? 0) : 0
    const offset = this.#comparer.value(minutes, 'integer')
    const condition = isPresent(value)
    return condition.kind === 'constant'
      ? offset
      : { kind: 'case', branches: [{ condition, value: offset }], type: 'integer' }
  }

  /** The parts of a timestamp are those in its own offset, which is not stored (5.1.1.8). */
  #requireUtc(node: Expression): void {
    if (!isLiteral(node) || node.type !== 'dateTime') return
    if ((readDateTime(node.value)?.offset ?? 0) !== 0)
      throw this.#unsupported(node.column, 'aPartInAnotherZone')
  }

  #bindCase({ branches, column }: Choice, wanted: ValueType | undefined): Value {
    const conditions = branches.map(({ condition }) => this.#conditions.truth(condition, true))
    const values = allAlike(branches.map(({ value }) => this.value(value, wanted)))
    if (values === undefined) throw this.#invalid(column, 'branchesDiffer')
    const type = values.map(typeOf).find((one) => one !== null)
    if (type === undefined || type === null) return nothing
    const bound = conditions.map((condition, index) => ({
      condition,
      value: values[index] ?? nothing,
    }))
    return { kind: 'case', branches: bound, type }
  }

  #bindLiteral(node: Literal, wanted: ValueType | undefined): Value {
    if (node.type === 'null') return nothing
    const own = this.#enumerationOf(node, wanted) ?? literalTypeOf(node)
    if (own === undefined) throw this.#unsupported(node.column, 'aLiteralOfItsType')
    const type =
      wanted !== undefined && isNumber(own) && isNumber(wanted) ? wider(own, wanted) : own
    const { binding, option } = this.#scope
    const form = typeof type === 'object' ? 'enum' : node.type
    const place = placeOf(type, form, node.value, binding.zone)
    if (place === 'member') throw noSuchMember(option, type, node)
    if (place === 'day') throw this.#invalid(node.column, 'noSuchDay')
    if (typeof place === 'string') throw this.#invalid(node.column, 'sidesDiffer')
    if (place.at === 'value') return this.#comparer.value(place.value, type)
    if (place.at === 'above') throw this.#invalid(node.column, 'tooManyPlaces')
    throw new Fault('NumberOutOfRange', {
      target: targetAt(option, node.column),
      says: { field: node.value.slice(0, 40), min: -(10 ** 11), max: 10 ** 11 },
    })
  }

  /** A string may omit the enumeration's name where the type is known. */
  #enumerationOf({ type, of }: Literal, wanted: ValueType | undefined): ValueType | undefined {
    const isKnown = typeof wanted === 'object'
    if (type === 'text')
      return isKnown && this.#scope.binding.dialect.castsText ? wanted : undefined
    if (type !== 'enum') return undefined
    if (of === undefined) return isKnown ? wanted : undefined
    return enumerationNamed(this.#scope.record.view.schema, of)
  }

  #invalid(column: number, problem: PhraseCode, says?: Says): Fault {
    return unreadable(this.#scope.option, column, phrase(problem, says))
  }

  #unsupported(column: number, feature: PhraseCode): Fault {
    return unsupported(this.#scope.option, column, phrase(feature))
  }

  #notSupported(column: number, name: string): Fault {
    return unsupported(this.#scope.option, column, phrase('theFunction', { name }))
  }
}

const unboundKinds = {
  list: 'anArray',
  array: 'anArray',
  object: 'anObject',
} as const satisfies Record<string, PhraseCode>

function isArithmetic(operator: Operator): operator is Arithmetic {
  return arithmetic.has(operator)
}

const arithmetic: ReadonlySet<Operator> = new Set(['add', 'sub', 'mul', 'div', 'divby', 'mod'])
const divides: ReadonlySet<Operator> = new Set(['div', 'divby', 'mod'])
const dateParts: ReadonlySet<string> = new Set(['year', 'month', 'day', 'hour', 'date', 'time'])

const ends: ReadonlyMap<string, number> = new Map([
  ['mindatetime', dayNumber(yearMin, 1, 1) * 86_400_000_000],
  ['maxdatetime', dayNumber(yearMax + 1, 1, 1) * 86_400_000_000 - 1],
])

function isLiteral(node: Expression): node is Literal {
  return node.kind === 'literal'
}

function isZero(node: Expression): boolean {
  return isLiteral(node) && node.type === 'number' && readDigits(node.value).digits === ''
}

function isNegative(node: Expression): boolean {
  return isLiteral(node) && node.type === 'number' && node.value.startsWith('-')
}

/** The type of a literal on its own; undefined for types that no field has. */
function literalTypeOf({ type, value }: Literal): ValueType | undefined {
  return type === 'number' ? (/^[+-]?\d+$/.test(value) ? 'integer' : 'decimal') : literalTypes[type]
}

const literalTypes: Partial<Record<LiteralType, ValueType>> = {
  text: 'text',
  boolean: 'boolean',
  date: 'date',
  dateTime: 'stamp',
  timeOfDay: 'timeOfDay',
  duration: 'duration',
}

/** An integer fits every number type; decimal places are never cut off. */
function wider(own: ValueType, wanted: ValueType): ValueType {
  return own === 'integer' || wanted !== 'integer' ? wanted : own
}
