// Arithmetic: operators by the types of their operands (OData 4.01 part 2, 5.1.1.2).
import type { Value, ValueFunction } from './bound-expression.ts'
import { callValue, isNumber, nullValue, typeOf } from './typed-value.ts'

export type ArithmeticOperator = 'add' | 'sub' | 'mul' | 'div' | 'divby' | 'mod'

/** The value of an operation; undefined where the operator does not accept operands of these types. */
export function bindArithmetic(operator: ArithmeticOperator, left: Value, right: Value): Value | undefined {
  const [one, other] = [typeOf(left), typeOf(right)]
  if (one === null || other === null) return nullValue
  if (isNumber(one) && isNumber(other)) return numberOperations[operator](left, right)
  return bindTimeArithmetic(operator, left, right)
}

/**
 * Converts the values to the most precise of their types, so that they can be compared; undefined where there is no
 * common type.
 */
export function toCommonType(values: readonly Value[]): readonly Value[] | undefined {
  const types = [...new Set(values.map(typeOf).filter((type) => type !== null))]
  if (types.length < 2) return values
  if (!types.every(isNumber)) return undefined
  const finest = types.includes('seconds') ? 'seconds' : 'decimal'
  return values.map((value) => convertNumber(value, finest))
}

/** Converts a number to a more precise type, or to `decimal`, which rounds more precise ones. */
export function convertNumber(value: Value, to: 'decimal' | 'seconds'): Value {
  const from = typeOf(value)
  if (from === to || from === null) return value
  if (to === 'seconds') return callValue('decimalToSeconds', to, convertNumber(value, 'decimal'))
  return callValue(from === 'seconds' ? 'secondsToDecimal' : 'integerToDecimal', to, value)
}

type BinaryOperation = (left: Value, right: Value) => Value

/** Decimals have exactly four decimal places; more precise operands are rounded first. */
function inCommonType(name: ValueFunction, ofIntegers: 'integer' | 'decimal' = 'integer'): BinaryOperation {
  return (left, right) => {
    if (areIntegers(left, right)) return callValue(name, ofIntegers, left, right)
    return callValue(name, 'decimal', convertNumber(left, 'decimal'), convertNumber(right, 'decimal'))
  }
}

function areIntegers(...values: readonly Value[]): boolean {
  return values.every((value) => typeOf(value) === 'integer')
}

const divideDecimals = inCommonType('divideDecimals', 'decimal')

const numberOperations: Record<ArithmeticOperator, BinaryOperation> = {
  add: inCommonType('add'),
  sub: inCommonType('subtract'),
  mul: (left, right) => {
    if (areIntegers(left, right)) return callValue('multiply', 'integer', left, right)
    // Ten-thousandths times an integer are ten-thousandths.
    if (areIntegers(left)) return callValue('multiply', 'decimal', left, convertNumber(right, 'decimal'))
    if (areIntegers(right)) return callValue('multiply', 'decimal', convertNumber(left, 'decimal'), right)
    const [one, other] = [convertNumber(left, 'decimal'), convertNumber(right, 'decimal')]
    return callValue('multiplyDecimals', 'decimal', one, other)
  },
  div: (left, right) =>
    areIntegers(left, right) ? callValue('divideIntegers', 'integer', left, right) : divideDecimals(left, right),
  divby: divideDecimals,
  mod: inCommonType('modulo'),
}

/** Arithmetic on timestamps, dates and durations. */
function bindTimeArithmetic(operator: ArithmeticOperator, left: Value, right: Value): Value | undefined {
  const [one, other] = [typeOf(left), typeOf(right)]
  if (one === null || other === null) return undefined
  const isSum = operator === 'add'
  if (isSum || operator === 'sub') {
    const plus = isSum ? 'add' : 'subtract'
    if (other === 'duration' && (one === 'timestamp' || one === 'duration')) return callValue(plus, one, left, right)
    if (other === 'duration' && one === 'date')
      return callValue('datePlus', 'date', left, isSum ? right : callValue('negated', 'duration', right))
    if (isSum || one !== other) return undefined
    if (one === 'timestamp') return callValue('subtract', 'duration', left, right)
    return one === 'date' ? callValue('daysBetween', 'duration', left, right) : undefined
  }
  if (operator === 'mul') {
    if (one === 'duration' && isNumber(other)) return scaleDuration('multiplyDecimals', left, right)
    return other === 'duration' && isNumber(one) ? scaleDuration('multiplyDecimals', right, left) : undefined
  }
  const divides = operator === 'div' || operator === 'divby'
  return divides && one === 'duration' && isNumber(other) ? scaleDuration('divideDecimals', left, right) : undefined
}

function scaleDuration(name: 'multiplyDecimals' | 'divideDecimals', duration: Value, by: Value): Value {
  return callValue(name, 'duration', duration, convertNumber(by, 'decimal'))
}
