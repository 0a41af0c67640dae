// Rows become JSON or XML: one writer per answer, made of the columns it prints (ADR 0014).
import { writeDecimal } from '#lib/decimal.ts'
import { writeStamp } from '#lib/stamp.ts'
import type { Field, FieldType } from '#model/resource.ts'
import type { ReadPlan } from '#plan/read-plan.ts'
import type { Format } from '#wire/negotiate.ts'
import { xmlDeclaration, xmlElement, xsi } from '#wire/xml-text.ts'

/** A value as the house holds it. */
export type Value = string | number | boolean | Buffer | null

/** A field under the name that the answer gives it. */
export interface Column {
  readonly as: string
  readonly field: Field
}

export interface RowFormat {
  readonly format: Format
  /** How a date is printed, as in a `ReadPlan`. */
  readonly dates: ReadPlan['dates']
}

/** Writes one row of values in the order of the columns: a JSON object, or the members of an element. */
export const rowWriter = (
  columns: readonly Column[],
  { format, dates }: RowFormat,
): ((row: readonly Value[]) => string) => {
  const members = columns.map((column, index) =>
    format === 'json' ? jsonMember(column, dates, index) : xmlMember(column, dates),
  )
  const end = format === 'json' ? '}' : ''
  return (row) => {
    let text = ''
    for (let index = 0; index < members.length; index++) {
      // There are as many members as columns, and a row has a value for each.
      const write = members[index]
      if (write !== undefined) text += write(row[index] ?? null)
    }
    return text + end
  }
}

/** The array that holds an answer's rows: its opening, its rows batch by batch, its end. */
export interface ArrayWriter {
  readonly start: string
  readonly rows: (rows: readonly (readonly Value[])[], isFirst: boolean) => string
  readonly end: string
}

/** Rows that hold one text each, a record as JSON. */
export const jsonArray: ArrayWriter = {
  start: '[',
  rows: (rows, isFirst) => (isFirst || rows.length === 0 ? '' : ',') + rows.join(','),
  end: ']',
}

/** Rows of values. */
export const xmlArray = (plan: ReadPlan): ArrayWriter => {
  const { wire } = plan.resource
  const write = rowWriter(columnsOf(plan), { format: 'xml', dates: plan.dates })
  return {
    start: `${xmlDeclaration}<ArrayOf${wire}${xsi}>`,
    rows: (rows) => rows.map((row) => `<${wire}>${write(row)}</${wire}>`).join(''),
    end: `</ArrayOf${wire}>`,
  }
}

export const columnsOf = ({ resource, select }: Pick<ReadPlan, 'resource' | 'select'>): Column[] =>
  select.map(({ field: name, as }) => {
    const field = resource.fields[name]
    if (field === undefined) throw new Error(`${resource.wire} has no field ${name}`)
    return { as, field }
  })

type WriteMember = (value: Value) => string

const jsonMember = (
  { as, field }: Column,
  dates: ReadPlan['dates'],
  index: number,
): WriteMember => {
  const start = `${index === 0 ? '{' : ','}${JSON.stringify(as)}:`
  const print = jsonPrinters[dates][field.type]
  return (value) => start + (value === null ? 'null' : print(value))
}

const xmlMember = ({ as, field }: Column, dates: ReadPlan['dates']): WriteMember => {
  const print = printers[dates][field.type]
  return (value) => xmlElement(as, value === null ? null : print(value))
}

type Print = (value: NonNullable<Value>) => string

const plain: Record<FieldType, Print> = {
  integer: String,
  // Stored as 0 and 1.
  boolean: (value) => (Number(value) === 0 ? 'false' : 'true'),
  text: String,
  decimal: (value) => writeDecimal(Number(value)),
  stamp: (value) => writeStamp(Number(value)),
  date: String,
}

const printers: Record<ReadPlan['dates'], Record<FieldType, Print>> = {
  date: plain,
  midnight: { ...plain, date: (value) => `${String(value)}T00:00:00` },
}

const inQuotes = (of: Record<FieldType, Print>): Record<FieldType, Print> => ({
  ...of,
  text: (value) => JSON.stringify(value),
  stamp: (value) => `"${of.stamp(value)}"`,
  date: (value) => `"${of.date(value)}"`,
})

const jsonPrinters = { date: inQuotes(printers.date), midnight: inQuotes(printers.midnight) }
