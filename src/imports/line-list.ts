// Parses a receiver's list of lines: ids, external ids or export keys, in JSON, CSV or Excel.
import { ApiError } from '../errors/api-error.ts'
import { unreadableFileError } from './field-names.ts'
import { readTable } from './read-table.ts'
import type { FileSender } from './workbook.ts'
import type { LineReference } from '../export/reconcile.ts'
import { exportable } from '../model/transaction.ts'
import { message, type LocalizedMessage } from '../errors/messages.ts'
import { removeFormulaGuard } from '../engine/formats/csv/csv.ts'
import { listRowsMax } from '../engine/formats/read/read-records.ts'

/** What a plain value in a list identifies. */
export const identifierKinds = ['id', 'external', 'key'] as const

export type IdentifierKind = (typeof identifierKinds)[number]

/** The lines that the file identifies. Throws `UnreadableFile` with the position of the error. */
export async function parseLineList(bytes: Buffer, by: IdentifierKind, sender: FileSender): Promise<LineReference[]> {
  // A byte order mark counts as white space.
  const isJson = /^\s*[[{]/.test(bytes.subarray(0, 100).toString())
  return isJson ? readJson(bytes.toString(), by) : readCells(bytes, by, sender)
}

/** A line identified by a plain value. */
function toLineReference(text: string, by: IdentifierKind, position: LocalizedMessage): LineReference {
  return {
    id: by === 'id' ? idIn(text, position) : null,
    externalId: by === 'external' ? text : null,
    exportKey: by === 'key' ? text : null,
  }
}

function readJson(text: string, by: IdentifierKind): LineReference[] {
  const list = findList(parsed(text))
  return list.map((entry, index) => {
    const position = message('entryAt', { number: index + 1 })
    if (typeof entry === 'number' || typeof entry === 'string') return toLineReference(String(entry), by, position)
    if (typeof entry !== 'object' || entry === null) throw noIdentifierError(position)
    const cells = Object.entries(entry).filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    return parseLineReference(new Map(cells.map(([name, value]) => [name, String(value)])), position)
  })
}

function linePosition(line: number): LocalizedMessage {
  return message('lineAt', { line })
}

/** The array itself, or the one in `{"ids": […]}`, `{"items": […]}` or `{"value": […]}`. */
function findList(sent: unknown): readonly unknown[] {
  const lists = Array.isArray(sent) ? [sent] : typeof sent === 'object' && sent !== null ? Object.values(sent) : []
  const list = lists.find((one) => Array.isArray(one))
  if (!Array.isArray(list)) throw unreadableFileError('listMissing')
  if (list.length > listRowsMax) throw new ApiError('TooManyItems', { params: { max: listRowsMax } })
  return list
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw unreadableFileError('invalidJsonFile')
  }
}

async function readCells(bytes: Buffer, by: IdentifierKind, sender: FileSender): Promise<LineReference[]> {
  const { headers, lines } = await readTable(bytes, sender)
  const cells = (line: readonly string[]) =>
    new Map(headers.map((header, index) => [header, removeFormulaGuard((line[index] ?? '').trim())]))
  if (headers.some((header) => nameOf(header) !== null))
    return lines.map(({ line, cells: row }) => parseLineReference(cells(row), linePosition(line)))
  // A single column without a header: the first line is a value too.
  if (headers.length !== 1) throw unreadableFileError('idColumnMissing')
  return [
    toLineReference(headers[0] ?? '', by, linePosition(1)),
    ...lines.map(({ line, cells: row }) =>
      toLineReference(removeFormulaGuard((row[0] ?? '').trim()), by, linePosition(line)),
    ),
  ]
}

/** `EksternId` is the id in the source system, so it does not identify a line for the receiver. */
function nameOf(header: string): keyof LineReference | null {
  const lower = header.toLowerCase()
  if (lower === 'id') return 'id'
  if (lower === 'externalid') return 'externalId'
  return lower === exportable.fields.exportKey.wire.toLowerCase() ? 'exportKey' : null
}

function parseLineReference(cells: ReadonlyMap<string, string>, position: LocalizedMessage): LineReference {
  const named: Record<keyof LineReference, string | null> = { id: null, externalId: null, exportKey: null }
  for (const [header, cell] of cells) {
    const name = nameOf(header)
    if (name !== null && cell !== '') named[name] = cell
  }
  const { id, externalId, exportKey } = named
  if (id === null && externalId === null && exportKey === null) throw noIdentifierError(position)
  return { id: id === null ? null : idIn(id, position), externalId, exportKey }
}

function idIn(text: string, position: LocalizedMessage): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw unreadableFileError('invalidId', { position, value: text.slice(0, 50) })
}

function noIdentifierError(position: LocalizedMessage): ApiError {
  return unreadableFileError('lineIdMissing', { position })
}
