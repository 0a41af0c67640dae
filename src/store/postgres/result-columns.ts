// Result columns: their names, and the JavaScript values of what PostgreSQL sends as text.
import { types } from 'pg'

export interface Column {
  readonly name: string
  /** Null where the text is the value. */
  readonly parse: ((text: string) => unknown) | null
}

export interface ColumnDescription {
  readonly name: string
  /** The oid of the type. */
  readonly dataTypeID: number
}

export type ReceivedRow = (string | null)[]

export function toColumns(descriptions: readonly ColumnDescription[]): Column[] {
  return descriptions.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }))
}

export function toRecords(columns: readonly Column[], rows: readonly ReceivedRow[]): Record<string, unknown>[] {
  return rows.map((texts) => {
    const record: Record<string, unknown> = {}
    for (const [index, column] of columns.entries()) record[column.name] = valueOf(column, texts[index])
    return record
  })
}

export function toValueRows(columns: readonly Column[], rows: readonly ReceivedRow[]): unknown[][] {
  return rows.map((texts) => columns.map((column, index) => valueOf(column, texts[index])))
}

function valueOf({ parse }: Column, text: string | null = null): unknown {
  return text === null || parse === null ? text : parse(text)
}

/** Counts, keys, amounts and timestamps are safe integers. */
function parserOf(oid: number): Column['parse'] {
  if (oid === textOid) return null
  return oid === bigintOid ? Number : types.getTypeParser(oid, 'text')
}

const textOid = 25
const bigintOid = 20
