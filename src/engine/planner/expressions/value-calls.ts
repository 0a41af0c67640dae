// Canonical functions: signatures by argument types, in terms of the functions of the SQL layer.
import { call, typeOf } from './arithmetic.ts'
import type { Value, ValueFunction, ValueType } from './expression.ts'

/** One overload of a function: its parameter types and its result. */
export interface Signature {
  readonly takes: readonly ValueType[]
  readonly gives: (...args: Value[]) => Value
}

/** The overload that accepts values of these types; null fits every type. */
export function signatureFor(name: string, args: readonly Value[]): Signature | undefined {
  return signatures.get(name)?.find(
    ({ takes }) =>
      takes.length === args.length &&
      takes.every((type, index) => {
        const given = typeOf(args[index] ?? { kind: 'null' })
        return given === null || given === type
      }),
  )
}

/** The type that a literal argument is bound to, where the literal fits several. */
export function argumentType(name: string, index: number): ValueType | undefined {
  return signatures.get(name)?.[0]?.takes[index]
}

export function isValueFunction(name: string): boolean {
  return signatures.has(name)
}

/** The names of all functions, in lower case. */
export function valueFunctionNames(): readonly string[] {
  return [...signatures.keys()]
}

function plain(name: ValueFunction, takes: readonly ValueType[], type: ValueType): Signature {
  return {
    takes,
    gives: (...args) => call(name, type, ...args),
  }
}

const nothing: Value = { kind: 'null' }

function one(of: (value: Value) => Value) {
  return (...[value = nothing]: Value[]): Value => of(value)
}

const same = one((value) => value)
function dateOf(stamp: Value): Value {
  return call('dateOfStamp', 'date', stamp)
}
function timeOf(stamp: Value): Value {
  return call('timeOfStamp', 'timeOfDay', stamp)
}

function partOfDate(name: ValueFunction): Signature[] {
  return [
    plain(name, ['date'], 'integer'),
    { takes: ['stamp'], gives: one((stamp) => call(name, 'integer', dateOf(stamp))) },
  ]
}

function partOfTime(name: ValueFunction, type: ValueType = 'integer'): Signature[] {
  return [
    plain(name, ['timeOfDay'], type),
    { takes: ['stamp'], gives: one((stamp) => call(name, type, timeOf(stamp))) },
  ]
}

function toWhole(name: 'rounded' | 'floor' | 'ceiling'): Signature[] {
  return [
    plain(name, ['decimal'], 'decimal'),
    plain(name, ['seconds'], 'seconds'),
    { takes: ['integer'], gives: same },
  ]
}

/** A duration is stored in microseconds, which are the millionths that `seconds` counts. */
function secondsOf(duration: Value): Value {
  return 'type' in duration ? { ...duration, type: 'seconds' } : duration
}

/** OData 4.01 part 2, 5.1.1.5 to 5.1.1.9. */
const signatures: ReadonlyMap<string, readonly Signature[]> = new Map([
  ['startswith', [plain('startswith', ['text', 'text'], 'boolean')]],
  ['endswith', [plain('endswith', ['text', 'text'], 'boolean')]],
  ['contains', [plain('contains', ['text', 'text'], 'boolean')]],
  [
    'substringof',
    [
      {
        takes: ['text', 'text'],
        gives: (...[part = nothing, text = nothing]: Value[]) =>
          call('contains', 'boolean', text, part),
      },
    ],
  ],
  ['concat', [plain('concat', ['text', 'text'], 'text')]],
  ['length', [plain('length', ['text'], 'integer')]],
  ['indexof', [plain('indexof', ['text', 'text'], 'integer')]],
  [
    'substring',
    [
      plain('substring', ['text', 'integer', 'integer'], 'text'),
      plain('substring', ['text', 'integer'], 'text'),
    ],
  ],
  ['tolower', [plain('tolower', ['text'], 'text')]],
  ['toupper', [plain('toupper', ['text'], 'text')]],
  ['trim', [plain('trim', ['text'], 'text')]],
  ['year', partOfDate('yearOfDate')],
  ['month', partOfDate('monthOfDate')],
  ['day', partOfDate('dayOfDate')],
  ['hour', partOfTime('hourOfTime')],
  ['minute', partOfTime('minuteOfTime')],
  ['second', partOfTime('secondOfTime')],
  ['fractionalseconds', partOfTime('fractionOfTime', 'seconds')],
  [
    'date',
    [
      { takes: ['stamp'], gives: one(dateOf) },
      { takes: ['date'], gives: same },
    ],
  ],
  [
    'time',
    [
      { takes: ['stamp'], gives: one(timeOf) },
      { takes: ['timeOfDay'], gives: same },
    ],
  ],
  ['totalseconds', [{ takes: ['duration'], gives: one(secondsOf) }]],
  ['round', toWhole('rounded')],
  ['floor', toWhole('floor')],
  ['ceiling', toWhole('ceiling')],
])
