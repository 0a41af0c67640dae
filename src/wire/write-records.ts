// Records become JSON or XML, by the description of their resource.
import { writeDecimal } from '#lib/decimal.ts'
import { writeStamp } from '#lib/stamp.ts'
import type { Field, FieldType, Resource, Row } from '#model/resource.ts'
import type { ReadPlan } from '#plan/read-plan.ts'
import type { Format } from '#wire/negotiate.ts'
import { xmlDeclaration, xmlElement, xsi } from '#wire/xml-text.ts'

/** A record as it is told: a dry run leaves the key of a new one out, as null. */
export type Told<R extends Resource> = { readonly [K in keyof Row<R>]: Row<R>[K] | null }

/** The same where nobody knows the resource: values as the house holds them, by house name. */
type WrittenRecord = Readonly<Record<string, string | number | boolean | null>>

export interface WriteOptions<R extends Resource> {
  readonly resource: R
  readonly format: Format
  /** How a date is printed, as in a `ReadPlan`. */
  readonly dates: ReadPlan['dates']
}

/** One record, or the array of all: the fields that an answer has when nothing is selected. */
export function writeRecords<R extends Resource>(
  records: readonly Told<R>[],
  options: WriteOptions<R> & { readonly isList: boolean },
): string
export function writeRecords(
  records: readonly WrittenRecord[],
  options: WriteOptions<Resource> & { readonly isList: boolean },
): string {
  const { resource, format, isList } = options
  const write = recordWriter(options)
  if (format === 'json') {
    const texts = records.map(write)
    return isList ? `[${texts.join(',')}]` : (texts[0] ?? 'null')
  }
  const name = resource.wire
  return isList
    ? `${xmlDeclaration}${arrayStart(resource)}${records.map((record) => `<${name}>${write(record)}</${name}>`).join('')}${arrayEnd(resource)}`
    : `${xmlDeclaration}<${name}${xsi}>${records.slice(0, 1).map(write).join('')}</${name}>`
}

/** What became of one row of a list whose good rows were taken. */
export type ResultEntry<RecordType> =
  | { readonly index: number; readonly code: string; readonly record: RecordType }
  | {
      readonly index: number
      readonly code: string
      readonly message: string
      readonly target: string | null
    }

/** One result per row in the order of the body, and how many rows had each code. */
export function writeResults<R extends Resource>(
  entries: readonly ResultEntry<Told<R>>[],
  options: WriteOptions<R>,
): string
export function writeResults(
  entries: readonly ResultEntry<WrittenRecord>[],
  options: WriteOptions<Resource>,
): string {
  const write = recordWriter(options)
  const counts = new Map<string, number>()
  for (const { code } of entries) counts.set(code, (counts.get(code) ?? 0) + 1)
  if (options.format === 'json') {
    const results = entries.map((entry) =>
      'record' in entry
        ? `{"index":${entry.index},"code":${JSON.stringify(entry.code)},"record":${write(entry.record)}}`
        : JSON.stringify(entry),
    )
    return `{"resultater":[${results.join(',')}],"antall":${JSON.stringify(Object.fromEntries(counts))}}`
  }
  const results = entries.map((entry) => {
    const head = xmlElement('index', String(entry.index)) + xmlElement('code', entry.code)
    const rest =
      'record' in entry
        ? `<record>${write(entry.record)}</record>`
        : xmlElement('message', entry.message) + xmlElement('target', entry.target)
    return `<resultat>${head}${rest}</resultat>`
  })
  const counted = [...counts].map(([code, count]) => xmlElement(code, String(count)))
  return `${xmlDeclaration}<svar${xsi}><resultater>${results.join('')}</resultater><antall>${counted.join('')}</antall></svar>`
}

/** A value as the store prints it for a plan; see `Store.readRows`. */
type Printed = string | number | Buffer | null

/** The rows of a plan, whose values come printed and in the order of `select`, as XML in pieces. */
export async function* writeXmlRows(
  { resource, select }: Pick<ReadPlan, 'resource' | 'select'>,
  batches: AsyncIterable<readonly (readonly Printed[])[]>,
): AsyncGenerator<string> {
  const rowOf = (row: readonly Printed[]): string => {
    const members = select.map(({ as }, index) => {
      const value = row[index] ?? null
      return xmlElement(as, value === null ? null : String(value))
    })
    return `<${resource.wire}>${members.join('')}</${resource.wire}>`
  }
  yield xmlDeclaration + arrayStart(resource)
  for await (const rows of batches) yield rows.map(rowOf).join('')
  yield arrayEnd(resource)
}

const arrayStart = ({ wire }: Resource): string => `<ArrayOf${wire}${xsi}>`

const arrayEnd = ({ wire }: Resource): string => `</ArrayOf${wire}>`

/** Made once per answer, so that a long list looks nothing up: a JSON object, or the members of an element. */
const recordWriter = ({ resource, format, dates }: WriteOptions<Resource>) => {
  const fields = Object.entries(resource.fields).filter(([, field]) => field.onlyAsked !== true)
  const members = fields.map(([name, field], index) =>
    format === 'json' ? jsonMember(name, field, dates, index) : xmlMember(name, field, dates),
  )
  return (record: WrittenRecord): string => {
    let text = ''
    for (const member of members) text += member(record)
    return format === 'json' ? `${text}}` : text
  }
}

type WriteMember = (record: WrittenRecord) => string

const jsonMember = (
  name: string,
  field: Field,
  dates: ReadPlan['dates'],
  index: number,
): WriteMember => {
  const start = `${index === 0 ? '{' : ','}${JSON.stringify(field.wire)}:`
  const print = jsonPrinters[dates][field.type]
  return ({ [name]: value }) =>
    start + (value === null || value === undefined ? 'null' : print(value))
}

const xmlMember = (name: string, field: Field, dates: ReadPlan['dates']): WriteMember => {
  const print = printers[dates][field.type]
  return ({ [name]: value }) =>
    xmlElement(field.wire, value === null || value === undefined ? null : print(value))
}

type Print = (value: string | number | boolean) => string

const plain: Record<FieldType, Print> = {
  integer: String,
  boolean: String,
  text: String,
  decimal: (value) => writeDecimal(Number(value)),
  stamp: (value) => writeStamp(Number(value)),
  date: String,
}

const printers = {
  date: plain,
  midnight: { ...plain, date: (value: string | number | boolean) => `${value}T00:00:00` },
}

const inQuotes = (of: Record<FieldType, Print>): Record<FieldType, Print> => ({
  ...of,
  text: (value) => JSON.stringify(value),
  stamp: (value) => `"${of.stamp(value)}"`,
  date: (value) => `"${of.date(value)}"`,
})

const jsonPrinters = { date: inQuotes(printers.date), midnight: inQuotes(printers.midnight) }
