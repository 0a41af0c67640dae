// Type casts: `cast` and `isof`, by type name (OData 4.01 part 2, 5.1.1.10).
import { convertNumber } from './arithmetic.ts'
import type { Value, ValueType } from './bound-expression.ts'
import { callValue, typeOf } from './typed-value.ts'

/** The value converted to the named type; undefined where the conversion is not supported. */
export function castValue(name: string, value: Value): Value | undefined {
  const to = typesByName.get(name.toLowerCase())
  const from = typeOf(value)
  if (to === undefined) return undefined
  if (from === null || from === to) return value
  if (to === 'text') return texts.has(from) ? callValue('textOf', 'text', value) : undefined
  if (to === 'decimal' && (from === 'integer' || from === 'seconds')) return convertNumber(value, to)
  if (to === 'integer' && (from === 'decimal' || from === 'seconds'))
    return callValue('decimalToInteger', to, convertNumber(value, 'decimal'))
  if (to === 'date' && from === 'timestamp') return callValue('dateOfTimestamp', to, value)
  if (to === 'timeOfDay' && from === 'timestamp') return callValue('timeOfTimestamp', to, value)
  return to === 'timestamp' && from === 'date' ? callValue('dateToTimestamp', to, value) : undefined
}

/** Whether a type is the named one; undefined for an unknown type name. */
export function isOfType(name: string, type: ValueType): boolean | undefined {
  const named = typesByName.get(name.toLowerCase())
  return named === undefined ? undefined : named === type
}

const typesByName: ReadonlyMap<string, ValueType> = new Map([
  ['edm.string', 'text'],
  ...['byte', 'sbyte', 'int16', 'int32', 'int64'].map((name): [string, ValueType] => [`edm.${name}`, 'integer']),
  ...['decimal', 'double', 'single'].map((name): [string, ValueType] => [`edm.${name}`, 'decimal']),
  ['edm.date', 'date'],
  ['edm.datetimeoffset', 'timestamp'],
  ['edm.timeofday', 'timeOfDay'],
  ['edm.duration', 'duration'],
  ['edm.boolean', 'boolean'],
])

/** Types that are converted to text in their JSON notation. */
const texts: ReadonlySet<ValueType> = new Set(['integer', 'decimal', 'date', 'timestamp', 'boolean'])
