// Field values: a field of a record as a value of an expression.
import type { NamedField } from './resource-fields.ts'
import type { FieldValue } from './bound-expression.ts'

/** The record that has the field: its record number, and whether it may be missing. */
export interface FieldOwner {
  readonly number: number
  readonly isJoined: boolean
}

export function fieldValue(
  { number, isJoined }: FieldOwner,
  {
    name,
    type,
    optional,
    blankWhenNull,
  }: Pick<NamedField, 'name' | 'optional' | 'blankWhenNull'> & Pick<FieldValue, 'type'>,
): FieldValue {
  return {
    kind: 'field',
    recordNumber: number,
    field: name,
    type,
    isOptional: isJoined || optional === true,
    ...(blankWhenNull ? { blankWhenNull, ...(isJoined ? { isJoined } : {}) } : {}),
  }
}
