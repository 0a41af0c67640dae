// Records become JSON or XML, by the description of their resource.
import { inSlices } from '#lib/next-tick.ts'
import { resultWords } from '#model/result-words.ts'
import type { Resource } from '#model/resource.ts'
import type { ReadPlan, Selected } from '#plan/read-plan.ts'
import type { Format } from '#wire/negotiate.ts'
import { columnsOf, rowWriter } from '#wire/write-rows.ts'
import { xmlDeclaration, xmlElement, xsi } from '#wire/xml-text.ts'

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
export const writeRecords = async (
  records: readonly WrittenRecord[],
  options: WriteOptions & { readonly isList: boolean },
): Promise<string> => {
  const { resource, format, isList } = options
  const write = recordWriter(options)
  const texts: string[] = []
  await inSlices(records, sliceRecords, (slice) => {
    for (const record of slice) texts.push(write(record))
  })
  if (format === 'json') return isList ? `[${texts.join(',')}]` : (texts[0] ?? 'null')
  const name = resource.wire
  return isList
    ? `${xmlDeclaration}<ArrayOf${name}${xsi}>${texts.map((text) => `<${name}>${text}</${name}>`).join('')}</ArrayOf${name}>`
    : `${xmlDeclaration}<${name}${xsi}>${texts[0] ?? ''}</${name}>`
}

const sliceRecords = 1000

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
export const writeResults = async (
  entries: readonly ResultEntry[],
  options: WriteOptions,
): Promise<string> => {
  const writeRecord = recordWriter(options)
  const write = options.format === 'json' ? jsonResult(writeRecord) : xmlResult(writeRecord)
  const counts = new Map<string, number>()
  const results: string[] = []
  await inSlices(entries, sliceRecords, (slice) => {
    for (const entry of slice) {
      counts.set(entry.code, (counts.get(entry.code) ?? 0) + 1)
      results.push(write(entry))
    }
  })
  return options.format === 'json' ? jsonAnswer(results, counts) : xmlAnswer(results, counts)
}

const jsonAnswer = (results: readonly string[], counts: ReadonlyMap<string, number>): string =>
  `{"${resultWords.results}":[${results.join(',')}],"${resultWords.counts}":${JSON.stringify(Object.fromEntries(counts))}}`

const xmlAnswer = (results: readonly string[], counts: ReadonlyMap<string, number>): string => {
  const counted = [...counts].map(([code, count]) => xmlElement(code, String(count)))
  const inside = xmlWrapped(resultWords.results, results) + xmlWrapped(resultWords.counts, counted)
  return `${xmlDeclaration}<${resultWords.answer}${xsi}>${inside}</${resultWords.answer}>`
}

const xmlWrapped = (name: string, elements: readonly string[]): string =>
  `<${name}>${elements.join('')}</${name}>`

type WriteResult = (entry: ResultEntry) => string

const jsonResult =
  (writeRecord: (record: WrittenRecord) => string): WriteResult =>
  (entry) =>
    'record' in entry
      ? `{"index":${entry.index},"code":${JSON.stringify(entry.code)},"record":${writeRecord(entry.record)}}`
      : JSON.stringify(entry)

const xmlResult =
  (writeRecord: (record: WrittenRecord) => string): WriteResult =>
  (entry) => {
    const head = xmlElement('index', String(entry.index)) + xmlElement('code', entry.code)
    const rest =
      'record' in entry
        ? `<record>${writeRecord(entry.record)}</record>`
        : xmlElement('message', entry.message) + xmlElement('target', entry.target)
    return xmlWrapped(resultWords.result, [head, rest])
  }

const recordWriter = ({ resource, select, ...rowFormat }: WriteOptions) => {
  const selected = select ?? declaredOf(resource)
  const names = selected.map(({ field }) => field)
  const write = rowWriter(columnsOf({ resource, select: selected }), rowFormat)
  return (record: WrittenRecord): string => write(names.map((name) => record[name] ?? null))
}

const declaredOf = ({ fields }: Resource): Selected[] =>
  Object.entries(fields)
    .filter(([, { onlyAsked }]) => onlyAsked !== true)
    .map(([field, { wire }]) => ({ field, as: wire }))
