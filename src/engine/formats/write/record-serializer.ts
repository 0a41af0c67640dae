// Serializer of stored records and list results in JSON and XML.
import { memoize } from '../../../lib/memoize.ts'
import { resultNames } from './wire-names.ts'
import { resultsFrame } from './item-results.ts'
import { ListWriter, serializeList, type SerializedText } from './long-list.ts'
import type { Resource } from '../../model/resource.ts'
import type { SelectedField } from '../../planner/read-plan.ts'
import { recordSerializer, rowColumns, type RowSerializerOptions } from './row-serializer.ts'
import { xmlContainer, xmlDeclaration, xmlElement, xsi } from '../xml/xml-text.ts'

/** Internal values by internal name; in a dry run the key of a new record is null. */
export type OutputRecord = Readonly<Record<string, string | number | boolean | null>>

/** The same object for several replies prepares their serializer once. */
export interface SerializeOptions extends RowSerializerOptions {
  readonly resource: Resource
  /** The fields and their names. Default: all but those that only `$select` returns, under their declared names. */
  readonly select?: readonly SelectedField[]
}

/** One record, or `null` in JSON. */
export function serializeRecord(record: OutputRecord | undefined, options: SerializeOptions): string {
  const { resource, format } = options
  const text = record === undefined ? null : getSerializer(options)(record)
  if (format === 'json') return text ?? 'null'
  return `${xmlDeclaration}<${resource.wire}${xsi}>${text ?? ''}</${resource.wire}>`
}

/** Serializes a list of `length` records. */
export function listWriter(length: number, options: SerializeOptions): ListWriter<OutputRecord> {
  const { resource, format } = options
  const serialize = getSerializer(options)
  const name = resource.wire
  return format === 'json'
    ? new ListWriter(length, serialize, { start: '[', between: ',', end: ']' })
    : new ListWriter(length, (record) => `<${name}>${serialize(record)}</${name}>`, {
        start: `${xmlDeclaration}<ArrayOf${name}${xsi}>`,
        between: '',
        end: `</ArrayOf${name}>`,
      })
}

/** The result of one row of a list with `atomic=false`. */
export type ListResult =
  | { readonly index: number; readonly code: string; readonly record: OutputRecord }
  | { readonly index: number; readonly code: string; readonly message: string; readonly target: string | null }

/** One result per row in request order, and the number of rows by code. */
export async function serializeListResults(
  entries: readonly ListResult[],
  options: SerializeOptions,
): Promise<SerializedText> {
  const { format } = options
  const ofRecord = getSerializer(options)
  const serialize = format === 'json' ? jsonResult : xmlResult
  const writer = new ListWriter<ListResult>(
    entries.length,
    (entry) => serialize(entry, ofRecord),
    resultsFrame(entries, format),
  )
  return serializeList(entries, writer)
}

function jsonResult(entry: ListResult, serializeRecord: RecordSerializer): string {
  return 'record' in entry
    ? `{"index":${entry.index},"code":${JSON.stringify(entry.code)},"record":${serializeRecord(entry.record)}}`
    : JSON.stringify(entry)
}

function xmlResult(entry: ListResult, serializeRecord: RecordSerializer): string {
  const head = xmlElement('index', String(entry.index)) + xmlElement('code', entry.code)
  const rest =
    'record' in entry
      ? xmlContainer('record', serializeRecord(entry.record))
      : xmlElement('message', entry.message) + xmlElement('target', entry.target)
  return xmlContainer(resultNames.result, head + rest)
}

type RecordSerializer = (record: OutputRecord) => string

const getSerializer = memoize(({ resource, select, ...rowFormat }: SerializeOptions) => {
  const selected = select ?? defaultSelection(resource)
  const columns = rowColumns({ resource, select: selected })
  return recordSerializer(
    columns.map((column, index) => [selected[index]?.field ?? '', column]),
    rowFormat,
  )
})

function defaultSelection({ fields }: Resource): SelectedField[] {
  return Object.entries(fields)
    .filter(([, { onlyWhenSelected }]) => onlyWhenSelected !== true)
    .map(([field, { wire }]) => ({ field, as: wire }))
}
