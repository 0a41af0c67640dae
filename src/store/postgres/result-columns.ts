// Result columns: their names, and the JavaScript values of what PostgreSQL sends as text.
import { types } from 'pg'
import type { SqlValue } from '../../engine/sql/dialect.ts'

export interface ResultColumn {
  readonly name: string
  /** Null where the text is the value. */
  readonly parse: ((text: string) => SqlValue) | null
}

export interface ColumnDescription {
  readonly name: string
  /** The oid of the type. */
  readonly dataTypeID: number
}

export type ReceivedRow = (string | null)[]

export function toColumns(descriptions: readonly ColumnDescription[]): ResultColumn[] {
  return descriptions.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }))
}

/** A statement says what its rows are. */
export function toRecords<Row>(columns: readonly ResultColumn[], rows: readonly ReceivedRow[]): Row[] {
  return rows.map((texts) => {
    const record: Record<string, SqlValue> = {}
    for (const [index, column] of columns.entries()) record[column.name] = valueOf(column, texts[index])
    return record as Row
  })
}

export function toValueRows(columns: readonly ResultColumn[], rows: readonly ReceivedRow[]): SqlValue[][] {
  return rows.map((texts) => columns.map((column, index) => valueOf(column, texts[index])))
}

function valueOf({ parse }: ResultColumn, text: string | null = null): SqlValue {
  return text === null || parse === null ? text : parse(text)
}

/** Counts, keys, amounts and timestamps are safe integers. */
function parserOf(oid: number): ResultColumn['parse'] {
  if (oid === textOid) return null
  return oid === bigintOid ? Number : types.getTypeParser(oid, 'text')
}

const textOid = 25
const bigintOid = 20
