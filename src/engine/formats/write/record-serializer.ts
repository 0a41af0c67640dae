// Serializer of stored records and list results in JSON and XML.
import { memoize } from '../../../lib/memoize.ts'
import { resultNames } from './wire-names.ts'
import { resultsFrame } from './item-results.ts'
import { serializeList, type SerializedText } from './long-list.ts'
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

/**
 * One record, or the array of all. A long list is serialized in chunks, yielding to the event loop between them.
 */
export async function serializeRecords(
  records: readonly OutputRecord[],
  options: SerializeOptions & { readonly isList: boolean },
): Promise<SerializedText> {
  const { resource, format, isList } = options
  const serialize = getSerializer(options)
  const name = resource.wire
  if (!isList) {
    const text = records[0] === undefined ? null : serialize(records[0])
    return format === 'json' ? (text ?? 'null') : `${xmlDeclaration}<${name}${xsi}>${text ?? ''}</${name}>`
  }
  return format === 'json'
    ? serializeList(records, serialize, { start: '[', between: ',', end: ']' })
    : serializeList(records, (record) => `<${name}>${serialize(record)}</${name}>`, {
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
  const serializeRecord = getSerializer(options)
  const serialize = format === 'json' ? jsonResult : xmlResult
  return serializeList(entries, (entry) => serialize(entry, serializeRecord), resultsFrame(entries, format))
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
