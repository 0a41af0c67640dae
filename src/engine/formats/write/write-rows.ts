// Row serializer for JSON and XML, built once per reply from its columns (ADR 0014).
import { writeDecimal } from '../../../lib/decimal.ts'
import { writeDuration } from '../../../lib/duration.ts'
import { writeStamp } from '../../../lib/timestamp.ts'
import { writeMembers } from '../../model/enumeration.ts'
import { kindOfType, type Field, type TypeKind } from '../../model/resource.ts'
import type { ReadPlan } from '../../planner/read-plan.ts'
import type { Format } from '../negotiation/negotiate.ts'
import { xmlDeclaration, xmlElement, xsi } from '../xml/xml-text.ts'

/** A value in its internal representation. */
export type Value = string | number | boolean | Buffer | null

/** A field and its name in the reply. */
export interface Column {
  readonly as: string
  readonly field: Field
}

export interface RowFormat {
  readonly format: Format
  /** The format of dates, as in a `ReadPlan`. */
  readonly dates: ReadPlan['dates']
}

/** Serializes a row of values in column order: a JSON object, or the child elements of an XML element. */
export function rowWriter(
  columns: readonly Column[],
  { format, dates }: RowFormat,
): (row: readonly Value[]) => string {
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

/** The array around a reply's rows: its start, its rows in chunks, its end. */
export interface ArrayWriter {
  readonly start: string
  readonly rows: (rows: readonly (readonly Value[])[], isFirst: boolean) => string
  readonly end: string
}

/** For rows that hold one string each, a record as JSON. */
export const jsonArray: ArrayWriter = {
  start: '[',
  rows: (rows, isFirst) => (isFirst || rows.length === 0 ? '' : ',') + rows.join(','),
  end: ']',
}

/** For rows of values. */
export function xmlArray(plan: ReadPlan): ArrayWriter {
  const { wire } = plan.resource
  const write = rowWriter(columnsOf(plan), { format: 'xml', dates: plan.dates })
  return {
    start: `${xmlDeclaration}<ArrayOf${wire}${xsi}>`,
    rows: (rows) => rows.map((row) => `<${wire}>${write(row)}</${wire}>`).join(''),
    end: `</ArrayOf${wire}>`,
  }
}

export function columnsOf({ resource, select }: Pick<ReadPlan, 'resource' | 'select'>): Column[] {
  return select.map(({ field: name, as }) => {
    const field = resource.fields[name]
    if (field === undefined) throw new Error(`${resource.wire} has no field ${name}`)
    return { as, field }
  })
}

type WriteMember = (value: Value) => string

function jsonMember({ as, field }: Column, dates: ReadPlan['dates'], index: number): WriteMember {
  const start = `${index === 0 ? '{' : ','}${JSON.stringify(as)}:`
  const print = jsonPrinters[dates][kindOfType(field.type)]
  return (value) => start + (value === null ? 'null' : print(value, field))
}

function xmlMember({ as, field }: Column, dates: ReadPlan['dates']): WriteMember {
  const print = printers[dates][kindOfType(field.type)]
  return (value) => xmlElement(as, value === null ? null : print(value, field))
}

type Print = (value: NonNullable<Value>, field: Field) => string

const plain: Record<TypeKind, Print> = {
  integer: String,
  // Stored as 0 and 1.
  boolean: (value) => (Number(value) === 0 ? 'false' : 'true'),
  text: String,
  decimal: (value) => writeDecimal(Number(value)),
  stamp: (value) => writeStamp(Number(value)),
  timeOfDay: (value) => writeStamp(Number(value)).slice(11, -1),
  duration: (value) => writeDuration(Number(value)),
  enum: (value, { type }) =>
    typeof type === 'string' ? String(value) : writeMembers(type, Number(value)),
  date: String,
}

const printers: Record<ReadPlan['dates'], Record<TypeKind, Print>> = {
  date: plain,
  midnight: { ...plain, date: (value) => `${String(value)}T00:00:00` },
}

function inQuotes(of: Record<TypeKind, Print>): Record<TypeKind, Print> {
  const quoted =
    (print: Print): Print =>
    (value, field) =>
      `"${print(value, field)}"`
  const { stamp, date, timeOfDay, duration, enum: members } = of
  return {
    ...of,
    text: (value) => JSON.stringify(value),
    stamp: quoted(stamp),
    date: quoted(date),
    timeOfDay: quoted(timeOfDay),
    duration: quoted(duration),
    enum: quoted(members),
  }
}

const jsonPrinters = { date: inQuotes(printers.date), midnight: inQuotes(printers.midnight) }
