// Columns of fields: how the fields of a resource are stored.
import type { Field, Fields, FieldType } from '../../engine/model/resource.ts'
import { transactionContent } from '../../model/transaction.ts'
import { integer, text, type ColumnDefinition } from './define-table.ts'

/** A column for each field of a resource. A null is stored as '' where the field says so. */
export function fieldColumns<const All extends Fields>(fields: All): FieldColumns<All> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { type, optional, blankWhenNull }]) => {
      const column = columnTypeOf(type) === 'text' ? text() : integer()
      return [name, optional === true && blankWhenNull !== true ? column.orNull() : column]
    }),
  ) as FieldColumns<All>
}

/** The content of a transaction, which its revisions and export lines have too. */
export const contentColumns = fieldColumns(transactionContent)

/** Decimals are stored in ten-thousandths, timestamps in microseconds, booleans as 0 and 1. */
export function columnTypeOf(type: FieldType): 'text' | 'integer' {
  return type === 'text' || type === 'date' ? 'text' : 'integer'
}

type FieldColumns<All extends Fields> = {
  readonly [Name in keyof All]: ColumnDefinition<ColumnValue<All[Name]> | StoredNull<All[Name]>>
}

type ColumnValue<Of extends Field> = Of['type'] extends 'text' | 'date' ? string : number

type StoredNull<Of extends Field> = Of extends { readonly blankWhenNull: true }
  ? never
  : Of extends { readonly optional: true }
    ? null
    : never
