// Serializer of stored records and list results in JSON and XML.
import { inSlices } from '../../../lib/yield-to-event-loop.ts'
import { resultWords } from './wire-names.ts'
import type { Resource } from '../../model/resource.ts'
import type { ReadPlan, Selected } from '../../planner/read-plan.ts'
import type { Format } from '../negotiation/negotiate.ts'
import { columnsOf, rowWriter } from './write-rows.ts'
import { xmlDeclaration, xmlElement, xsi } from '../xml/xml-text.ts'

/** Internal values by internal name; in a dry run the key of a new record is null. */
export type WrittenRecord = Readonly<Record<string, string | number | boolean | null>>

export interface WriteOptions {
  readonly resource: Resource
  /** The fields and their names. Default: all but those that only `$select` returns, under their declared names. */
  readonly select?: readonly Selected[]
  readonly format: Format
  /** The format of dates, as in a `ReadPlan`. */
  readonly dates: ReadPlan['dates']
}

/**
 * One record, or the array of all. A long list is serialized in chunks, yielding to the event loop between them.
 */
export async function writeRecords(
  records: readonly WrittenRecord[],
  options: WriteOptions & { readonly isList: boolean },
): Promise<WrittenText> {
  const { resource, format, isList } = options
  const write = recordWriter(options)
  const name = resource.wire
  if (!isList) {
    const text = records[0] === undefined ? null : write(records[0])
    return format === 'json'
      ? (text ?? 'null')
      : `${xmlDeclaration}<${name}${xsi}>${text ?? ''}</${name}>`
  }
  return format === 'json'
    ? writtenList(records, write, { start: '[', between: ',', end: ']' })
    : writtenList(records, (record) => `<${name}>${write(record)}</${name}>`, {
        start: `${xmlDeclaration}<ArrayOf${name}${xsi}>`,
        between: '',
        end: `</ArrayOf${name}>`,
      })
}

/** A serialized body; a long one is a buffer. */
export type WrittenText = string | Buffer

/**
 * Encodes each chunk of a long list at once, so that its strings are garbage before the next chunk: keeping the strings
 * of a whole list caused GC pauses of up to 96 ms with 100,000 rows, now under 20.
 */
async function writtenList<Item>(
  items: readonly Item[],
  write: (item: Item) => string,
  { start, between, end }: { start: string; between: string; end: string },
): Promise<WrittenText> {
  const textOf = (slice: readonly Item[]) => slice.map(write).join(between)
  if (items.length <= sliceItems) return start + textOf(items) + end
  const pieces: Buffer[] = []
  await inSlices(items, sliceItems, (slice, at) => {
    pieces.push(Buffer.from((at === 0 ? start : between) + textOf(slice)))
  })
  return Buffer.concat([...pieces, Buffer.from(end)])
}

const sliceItems = 500

/** The result of one row of a list with `atomic=false`. */
export type ResultEntry =
  | { readonly index: number; readonly code: string; readonly record: WrittenRecord }
  | {
      readonly index: number
      readonly code: string
      readonly message: string
      readonly target: string | null
    }

/** One result per row in request order, and the number of rows by code. */
export async function writeResults(
  entries: readonly ResultEntry[],
  options: WriteOptions,
): Promise<WrittenText> {
  const { format } = options
  const writeRecord = recordWriter(options)
  const write = format === 'json' ? jsonResult(writeRecord) : xmlResult(writeRecord)
  const counts = new Map<string, number>()
  for (const { code } of entries) counts.set(code, (counts.get(code) ?? 0) + 1)
  return writtenList(entries, write, format === 'json' ? jsonAround(counts) : xmlAround(counts))
}

function jsonAround(counts: ReadonlyMap<string, number>) {
  return {
    start: `{"${resultWords.results}":[`,
    between: ',',
    end: `],"${resultWords.counts}":${JSON.stringify(Object.fromEntries(counts))}}`,
  }
}

function xmlAround(counts: ReadonlyMap<string, number>) {
  const { answer, results } = resultWords
  const counted = [...counts].map(([code, count]) => xmlElement(code, String(count)))
  return {
    start: `${xmlDeclaration}<${answer}${xsi}><${results}>`,
    between: '',
    end: `</${results}>${xmlWrapped(resultWords.counts, counted)}</${answer}>`,
  }
}

function xmlWrapped(name: string, elements: readonly string[]): string {
  return `<${name}>${elements.join('')}</${name}>`
}

type WriteResult = (entry: ResultEntry) => string

function jsonResult(writeRecord: (record: WrittenRecord) => string): WriteResult {
  return (entry) =>
    'record' in entry
      ? `{"index":${entry.index},"code":${JSON.stringify(entry.code)},"record":${writeRecord(entry.record)}}`
      : JSON.stringify(entry)
}

function xmlResult(writeRecord: (record: WrittenRecord) => string): WriteResult {
  return (entry) => {
    const head = xmlElement('index', String(entry.index)) + xmlElement('code', entry.code)
    const rest =
      'record' in entry
        ? `<record>${writeRecord(entry.record)}</record>`
        : xmlElement('message', entry.message) + xmlElement('target', entry.target)
    return xmlWrapped(resultWords.result, [head, rest])
  }
}

function recordWriter({ resource, select, ...rowFormat }: WriteOptions) {
  const selected = select ?? declaredOf(resource)
  const names = selected.map(({ field }) => field)
  const write = rowWriter(columnsOf({ resource, select: selected }), rowFormat)
  return (record: WrittenRecord): string => write(names.map((name) => record[name] ?? null))
}

function declaredOf({ fields }: Resource): Selected[] {
  return Object.entries(fields)
    .filter(([, { onlyAsked }]) => onlyAsked !== true)
    .map(([field, { wire }]) => ({ field, as: wire }))
}
