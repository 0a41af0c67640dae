// Typed values: their type, whether they can be null, and constructors.
import type { Value, ValueFunction, ValueType } from './bound-expression.ts'

/** Null for the null value, which has no type. */
export function typeOf(value: Value): ValueType | null {
  if (value.kind === 'null') return null
  if (value.kind === 'condition') return 'boolean'
  return value.kind === 'count' ? 'integer' : value.type
}

export function isNumber(type: ValueType): type is 'integer' | 'decimal' | 'seconds' {
  return type === 'integer' || type === 'decimal' || type === 'seconds'
}

export function canBeNull(value: Value): boolean {
  if (value.kind === 'field') return value.isOptional
  return value.kind !== 'literal' && value.kind !== 'condition' && value.kind !== 'count'
}

export const nullValue: Value = { kind: 'null' }

export function callValue(name: ValueFunction, type: ValueType, ...args: readonly Value[]): Value {
  return { kind: 'call', name, args, type }
}
