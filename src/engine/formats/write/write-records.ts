// Records become JSON or XML, by the description of their resource.
import { inSlices } from '../../../lib/yield-to-event-loop.ts'
import { resultWords } from './wire-names.ts'
import type { Resource } from '../../model/resource.ts'
import type { ReadPlan, Selected } from '../../planner/read-plan.ts'
import type { Format } from '../negotiation/negotiate.ts'
import { columnsOf, rowWriter } from './write-rows.ts'
import { xmlDeclaration, xmlElement, xsi } from '../xml/xml-text.ts'

/** Values as the house holds them, by house name; a dry run leaves the key of a new record out, as null. */
export type WrittenRecord = Readonly<Record<string, string | number | boolean | null>>

export interface WriteOptions {
  readonly resource: Resource
  /** Which fields, under which names. Without it: all that need not be asked for, as they are declared. */
  readonly select?: readonly Selected[]
  readonly format: Format
  /** How a date is printed, as in a `ReadPlan`. */
  readonly dates: ReadPlan['dates']
}

/**
 * One record, or the array of all: the fields that an answer has when nothing is selected. A long list is
 * written in slices, with a turn for everybody else between them.
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

/** What an answer is sent as: a long one is bytes already. */
export type WrittenText = string | Buffer

/**
 * Each slice of a long list becomes bytes at once: its texts are gone before the next, where those of a whole list would
 * be carried about by the garbage collector (a list of 100,000 had pauses of up to 96 ms from it, now under 20).
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

/** What became of one row of a list whose good rows were taken. */
export type ResultEntry =
  | { readonly index: number; readonly code: string; readonly record: WrittenRecord }
  | {
      readonly index: number
      readonly code: string
      readonly message: string
      readonly target: string | null
    }

/** One result per row in the order of the body, and how many rows had each code. */
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
