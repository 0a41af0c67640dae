// Arithmetic: operators by the types of their operands (OData 4.01 part 2, 5.1.1.2).
import type { Value, ValueFunction, ValueType } from './expression.ts'

export type Arithmetic = 'add' | 'sub' | 'mul' | 'div' | 'divby' | 'mod'

/** The value of an operation; undefined where the operator does not accept operands of these types. */
export function operated(operator: Arithmetic, left: Value, right: Value): Value | undefined {
  const [one, other] = [typeOf(left), typeOf(right)]
  if (one === null || other === null) return { kind: 'null' }
  if (isNumber(one) && isNumber(other)) return numbers[operator](left, right)
  return times(operator, left, right)
}

/**
 * Converts the values to the most precise of their types, so that they can be compared; undefined where there is no
 * common type.
 */
export function allAlike(values: readonly Value[]): readonly Value[] | undefined {
  const types = [...new Set(values.map(typeOf).filter((type) => type !== null))]
  if (types.length < 2) return values
  if (!types.every(isNumber)) return undefined
  const finest = types.includes('seconds') ? 'seconds' : 'decimal'
  return values.map((value) => converted(value, finest))
}

export function call(name: ValueFunction, type: ValueType, ...args: readonly Value[]): Value {
  return {
    kind: 'call',
    name,
    args,
    type,
  }
}

/** Null for the null value, which has no type. */
export function typeOf(value: Value): ValueType | null {
  if (value.kind === 'null') return null
  if (value.kind === 'truth') return 'boolean'
  return value.kind === 'count' ? 'integer' : value.type
}

type NumberType = 'integer' | 'decimal' | 'seconds'

export function isNumber(type: ValueType): type is NumberType {
  return type === 'integer' || type === 'decimal' || type === 'seconds'
}

/** Converts a number to a more precise type, or to `decimal`, which rounds more precise ones. */
export function converted(value: Value, to: 'decimal' | 'seconds'): Value {
  const from = typeOf(value)
  if (from === to || from === null) return value
  if (to === 'seconds') return call('decimalToSeconds', to, converted(value, 'decimal'))
  return call(from === 'seconds' ? 'secondsToDecimal' : 'wholeToDecimal', to, value)
}

type Operate = (left: Value, right: Value) => Value

/** Decimals have exactly four decimal places; more precise operands are rounded first. */
function inCommon(name: ValueFunction): Operate {
  return (left, right) => {
    if (areWhole(left, right)) return call(name, 'integer', left, right)
    return call(name, 'decimal', converted(left, 'decimal'), converted(right, 'decimal'))
  }
}

function areWhole(...values: readonly Value[]): boolean {
  return values.every((value) => typeOf(value) === 'integer')
}

const asDecimals: Operate = (left, right) =>
  areWhole(left, right)
    ? call('ratio', 'decimal', left, right)
    : call('ratio', 'decimal', converted(left, 'decimal'), converted(right, 'decimal'))

const numbers: Record<Arithmetic, Operate> = {
  add: inCommon('sum'),
  sub: inCommon('difference'),
  mul: (left, right) => {
    if (areWhole(left, right)) return call('product', 'integer', left, right)
    // Ten-thousandths times an integer are ten-thousandths.
    if (areWhole(left)) return call('product', 'decimal', left, converted(right, 'decimal'))
    if (areWhole(right)) return call('product', 'decimal', converted(left, 'decimal'), right)
    const [one, other] = [converted(left, 'decimal'), converted(right, 'decimal')]
    return call('scaledProduct', 'decimal', one, other)
  },
  div: (left, right) =>
    areWhole(left, right) ? call('quotient', 'integer', left, right) : asDecimals(left, right),
  divby: asDecimals,
  mod: inCommon('remainder'),
}

/** Arithmetic on timestamps, dates and durations. */
function times(operator: Arithmetic, left: Value, right: Value): Value | undefined {
  const [one, other] = [typeOf(left), typeOf(right)]
  if (one === null || other === null) return undefined
  const isSum = operator === 'add'
  if (isSum || operator === 'sub') {
    const plus = isSum ? 'sum' : 'difference'
    if (other === 'duration' && (one === 'stamp' || one === 'duration'))
      return call(plus, one, left, right)
    if (other === 'duration' && one === 'date')
      return call('datePlus', 'date', left, isSum ? right : call('negated', 'duration', right))
    if (isSum || one !== other) return undefined
    if (one === 'stamp') return call('difference', 'duration', left, right)
    return one === 'date' ? call('daysBetween', 'duration', left, right) : undefined
  }
  if (operator === 'mul') {
    if (one === 'duration' && isNumber(other)) return stretched('scaledProduct', left, right)
    return other === 'duration' && isNumber(one)
      ? stretched('scaledProduct', right, left)
      : undefined
  }
  const divides = operator === 'div' || operator === 'divby'
  return divides && one === 'duration' && isNumber(other)
    ? stretched('ratio', left, right)
    : undefined
}

function stretched(name: 'scaledProduct' | 'ratio', duration: Value, by: Value): Value {
  return call(name, 'duration', duration, converted(by, 'decimal'))
}
