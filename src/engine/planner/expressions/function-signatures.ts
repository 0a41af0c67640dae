// Canonical functions: signatures by argument types, in terms of the functions of the SQL layer.
import type { Value, ValueFunction, ValueType } from './bound-expression.ts'
import { callValue, nullValue, typeOf } from './typed-value.ts'

/** One overload of a function: its parameter types and its result. */
export interface FunctionSignature {
  readonly parameterTypes: readonly ValueType[]
  readonly bind: (...args: Value[]) => Value
}

/** The overload that accepts values of these types; null fits every type. */
export function findSignature(name: string, args: readonly Value[]): FunctionSignature | undefined {
  return functionSignatures.get(name)?.find(
    ({ parameterTypes }) =>
      parameterTypes.length === args.length &&
      parameterTypes.every((type, index) => {
        const given = typeOf(args[index] ?? nullValue)
        return given === null || given === type
      }),
  )
}

function directCall(name: ValueFunction, parameterTypes: readonly ValueType[], type: ValueType): FunctionSignature {
  return { parameterTypes, bind: (...args) => callValue(name, type, ...args) }
}

function unary(of: (value: Value) => Value) {
  return (...[value = nullValue]: Value[]): Value => of(value)
}

/** A function that returns values of this type unchanged. */
function identityOf(type: ValueType): FunctionSignature {
  return { parameterTypes: [type], bind: unary((value) => value) }
}

function ofTimestamp(of: (timestamp: Value) => Value): FunctionSignature {
  return { parameterTypes: ['timestamp'], bind: unary(of) }
}

function dateOf(timestamp: Value): Value {
  return callValue('dateOfTimestamp', 'date', timestamp)
}

function timeOf(timestamp: Value): Value {
  return callValue('timeOfTimestamp', 'timeOfDay', timestamp)
}

function datePart(name: ValueFunction): FunctionSignature[] {
  return [
    directCall(name, ['date'], 'integer'),
    ofTimestamp((timestamp) => callValue(name, 'integer', dateOf(timestamp))),
  ]
}

function timePart(name: ValueFunction, type: ValueType = 'integer'): FunctionSignature[] {
  return [directCall(name, ['timeOfDay'], type), ofTimestamp((timestamp) => callValue(name, type, timeOf(timestamp)))]
}

function rounding(name: 'rounded' | 'floor' | 'ceiling'): FunctionSignature[] {
  return [directCall(name, ['decimal'], 'decimal'), directCall(name, ['seconds'], 'seconds'), identityOf('integer')]
}

/** A duration is stored in microseconds, which are the millionths that `seconds` counts. */
function secondsOfDuration(duration: Value): Value {
  return 'type' in duration ? { ...duration, type: 'seconds' } : duration
}

/** OData 4.01 part 2, 5.1.1.5 to 5.1.1.9. */
export const functionSignatures: ReadonlyMap<string, readonly FunctionSignature[]> = new Map([
  ['startswith', [directCall('startswith', ['text', 'text'], 'boolean')]],
  ['endswith', [directCall('endswith', ['text', 'text'], 'boolean')]],
  ['contains', [directCall('contains', ['text', 'text'], 'boolean')]],
  [
    'substringof',
    [{ parameterTypes: ['text', 'text'], bind: (...args) => callValue('contains', 'boolean', ...args.toReversed()) }],
  ],
  ['concat', [directCall('concat', ['text', 'text'], 'text')]],
  ['length', [directCall('length', ['text'], 'integer')]],
  ['indexof', [directCall('indexof', ['text', 'text'], 'integer')]],
  [
    'substring',
    [
      directCall('substring', ['text', 'integer', 'integer'], 'text'),
      directCall('substring', ['text', 'integer'], 'text'),
    ],
  ],
  ['tolower', [directCall('tolower', ['text'], 'text')]],
  ['toupper', [directCall('toupper', ['text'], 'text')]],
  ['trim', [directCall('trim', ['text'], 'text')]],
  ['year', datePart('yearOfDate')],
  ['month', datePart('monthOfDate')],
  ['day', datePart('dayOfDate')],
  ['hour', timePart('hourOfTime')],
  ['minute', timePart('minuteOfTime')],
  ['second', timePart('secondOfTime')],
  ['fractionalseconds', timePart('fractionOfTime', 'seconds')],
  ['date', [ofTimestamp(dateOf), identityOf('date')]],
  ['time', [ofTimestamp(timeOf), identityOf('timeOfDay')]],
  ['totalseconds', [{ parameterTypes: ['duration'], bind: unary(secondsOfDuration) }]],
  ['round', rounding('rounded')],
  ['floor', rounding('floor')],
  ['ceiling', rounding('ceiling')],
])
