// Row serializer for JSON and XML, built from the columns of a reply (ADR 0012).
import { formatDecimal } from '../../../lib/decimal.ts'
import { formatDuration } from '../../../lib/duration.ts'
import { memoizeLast } from '../../../lib/memoize.ts'
import { formatTimestamp } from '../../../lib/timestamp.ts'
import { formatEnumValue } from '../../model/enumeration.ts'
import { kindOfType, type Field, type TypeKind } from '../../model/resource.ts'
import type { ReadPlan } from '../../planner/read-plan.ts'
import type { RecordFormat } from '../../planner/record-format.ts'
import type { Format } from '../negotiation/negotiate.ts'
import { xmlDeclaration, xmlElement, xsi } from '../xml/xml-text.ts'

/** A value in its internal representation. */
export type StoredValue = string | number | boolean | Buffer | null

/** A field and its name in the reply. */
export interface RowColumn {
  readonly as: string
  readonly field: Field
}

export interface RowSerializerOptions {
  readonly format: Format
  /** The format of dates, as in a `ReadPlan`. */
  readonly dates: ReadPlan['dates']
  /** How JSON has decimals, as in a `RecordFormat`; default: `number`. */
  readonly decimals?: RecordFormat['decimals']
}

/** Serializes the members of an object, or a row by the indexes of its columns: a JSON object, or the child elements in XML. */
export function recordSerializer<Name extends string | number>(
  columns: readonly (readonly [name: Name, column: RowColumn])[],
  options: RowSerializerOptions,
): (record: Readonly<Record<Name, StoredValue>>) => string {
  const { format } = options
  const members = columns.map(([name, column], index) => ({
    name,
    serialize: format === 'json' ? jsonMember(column, options, index) : xmlMember(column, options),
  }))
  const end = format === 'json' ? '}' : ''
  return (record) => {
    let text = ''
    for (const { name, serialize } of members) text += serialize(record[name] ?? null)
    return text + end
  }
}

/** The array around a reply's rows: its start, its rows in chunks, its end. */
export interface ArraySerializer {
  readonly start: string
  readonly rows: (rows: readonly (readonly StoredValue[])[], isFirst: boolean) => string
  readonly end: string
}

/** For rows that hold one string each, a record as JSON. */
export const jsonArraySerializer: ArraySerializer = {
  start: '[',
  rows: (rows, isFirst) => (isFirst || rows.length === 0 ? '' : ',') + rows.join(','),
  end: ']',
}

/** For rows of values. */
export function xmlArraySerializer(plan: ReadPlan): ArraySerializer {
  const { wire } = plan.resource
  const columns = rowColumns(plan).map((column, index) => [index, column] as const)
  const serialize = recordSerializer(columns, { format: 'xml', dates: plan.dates })
  return {
    start: `${xmlDeclaration}<ArrayOf${wire}${xsi}>`,
    rows: (rows) => rows.map((row) => `<${wire}>${serialize(row)}</${wire}>`).join(''),
    end: `</ArrayOf${wire}>`,
  }
}

export function rowColumns({ resource, select }: Pick<ReadPlan, 'resource' | 'select'>): RowColumn[] {
  return select.map(({ field: name, as }) => {
    const field = resource.fields[name]
    if (field === undefined) throw new Error(`${resource.wire} has no field ${name}`)
    return { as, field }
  })
}

type MemberSerializer = (value: StoredValue) => string

function jsonMember(
  { as, field }: RowColumn,
  { dates, decimals }: RowSerializerOptions,
  index: number,
): MemberSerializer {
  const start = `${index === 0 ? '{' : ','}${JSON.stringify(as)}:`
  const kind = kindOfType(field.type)
  const isQuoted = kind === 'decimal' && decimals === 'string'
  const serialize: ValueSerializer = isQuoted
    ? (value) => `"${formatDecimal(Number(value))}"`
    : jsonSerializers[dates][kind]
  const absent = `${start}null`
  const member: MemberSerializer = (value) => (value === null ? absent : start + serialize(value, field))
  // A text may be a part of a request body, all of which it would keep in memory: some serializers are kept.
  return kind === 'text' || kind === 'integer' ? member : memoizeLast(member)
}

function xmlMember({ as, field }: RowColumn, { dates }: RowSerializerOptions): MemberSerializer {
  const serialize = serializers[dates][kindOfType(field.type)]
  return (value) => xmlElement(as, value === null ? null : serialize(value, field))
}

type ValueSerializer = (value: NonNullable<StoredValue>, field: Field) => string

/** A value as text, without quotes. */
export const plainSerializers: Record<TypeKind, ValueSerializer> = {
  integer: String,
  // Stored as 0 and 1.
  boolean: (value) => (Number(value) === 0 ? 'false' : 'true'),
  text: String,
  decimal: (value) => formatDecimal(Number(value)),
  timestamp: (value) => formatTimestamp(Number(value)),
  timeOfDay: (value) => formatTimestamp(Number(value)).slice(11, -1),
  duration: (value) => formatDuration(Number(value)),
  enum: (value, { type }) => (typeof type === 'string' ? String(value) : formatEnumValue(type, Number(value))),
  date: String,
}

const serializers: Record<ReadPlan['dates'], Record<TypeKind, ValueSerializer>> = {
  date: plainSerializers,
  midnight: { ...plainSerializers, date: (value) => `${String(value)}T00:00:00` },
}

function withQuotes(of: Record<TypeKind, ValueSerializer>): Record<TypeKind, ValueSerializer> {
  const quoted = (kind: TypeKind): ValueSerializer => {
    const serialize = of[kind]
    return (value, field) => `"${serialize(value, field)}"`
  }
  return {
    ...of,
    text: (value) => JSON.stringify(value),
    timestamp: quoted('timestamp'),
    date: quoted('date'),
    timeOfDay: quoted('timeOfDay'),
    duration: quoted('duration'),
    enum: quoted('enum'),
  }
}

const jsonSerializers = { date: withQuotes(serializers.date), midnight: withQuotes(serializers.midnight) }
