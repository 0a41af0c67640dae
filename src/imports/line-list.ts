// Parses a receiver's list of lines: ids, external ids or export keys, in JSON, CSV or Excel.
import { Fault } from '../errors/catalog.ts'
import { readTable } from './read-table.ts'
import type { Named } from '../export/reconcile.ts'
import { exportable } from '../model/transaction.ts'
import { phrase, type Phrase } from '../errors/messages.ts'
import { withoutGuard } from '../engine/formats/csv/csv.ts'
import { listRowsMax } from '../engine/formats/read/read-records.ts'

/** What a plain value in a list identifies. */
export const namings = ['id', 'external', 'key'] as const

export type Naming = (typeof namings)[number]

/** The lines that the file identifies. Throws `UnreadableFile` with the position of the error. */
export async function lineListIn(bytes: Buffer, by: Naming): Promise<Named[]> {
  const isJson = /^\s*[[{]/.test(
    bytes
      .subarray(0, 100)
      .toString()
      .replace(/^\uFEFF/, ''),
  )
  return isJson ? readJson(bytes.toString(), by) : readCells(bytes, by)
}

/** A line identified by a plain value. */
export function namedOf(text: string, by: Naming, place: Phrase): Named {
  return {
    id: by === 'id' ? idIn(text, place) : null,
    externalId: by === 'external' ? text : null,
    exportKey: by === 'key' ? text : null,
  }
}

function readJson(text: string, by: Naming): Named[] {
  const list = listIn(parsed(text))
  return list.map((entry, index) => {
    const place = entryAt(index)
    if (typeof entry === 'number' || typeof entry === 'string')
      return namedOf(String(entry), by, place)
    if (typeof entry !== 'object' || entry === null) throw nothingNamed(place)
    return namedIn(
      new Map(Object.entries(entry).map(([name, value]) => [name, cellOf(value)])),
      place,
    )
  })
}

export function entryAt(index: number): Phrase {
  return phrase('entryAt', { number: index + 1 })
}

function lineAt(line: number): Phrase {
  return phrase('lineAt', { line })
}

/** The array itself, or the one in `{"ids": […]}`, `{"items": […]}` or `{"value": […]}`. */
function listIn(sent: unknown): readonly unknown[] {
  const lists = Array.isArray(sent)
    ? [sent]
    : typeof sent === 'object' && sent !== null
      ? Object.values(sent)
      : []
  const list = lists.find((one) => Array.isArray(one))
  if (!Array.isArray(list)) throw unreadable(phrase('holdsNoList'))
  if (list.length > listRowsMax) throw new Fault('TooManyItems', { says: { max: listRowsMax } })
  return list
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw unreadable(phrase('isNoJson'))
  }
}

function cellOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

async function readCells(bytes: Buffer, by: Naming): Promise<Named[]> {
  const { headers, lines } = await readTable(bytes)
  const cells = (line: readonly string[]) =>
    new Map(headers.map((header, index) => [header, withoutGuard((line[index] ?? '').trim())]))
  if (headers.some((header) => nameOf(header) !== null))
    return lines.map(({ line, cells: row }) => namedIn(cells(row), lineAt(line)))
  // A single column without a header: the first line is a value too.
  if (headers.length !== 1) throw unreadable(phrase('noLineColumn'))
  return [
    namedOf(headers[0] ?? '', by, lineAt(1)),
    ...lines.map(({ line, cells: row }) =>
      namedOf(withoutGuard((row[0] ?? '').trim()), by, lineAt(line)),
    ),
  ]
}

/** `EksternId` is the id in the source system, so it does not identify a line for the receiver. */
function nameOf(header: string): keyof Named | null {
  const lower = header.toLowerCase()
  if (lower === 'id') return 'id'
  if (lower === 'externalid') return 'externalId'
  return lower === exportable.fields.exportKey.wire.toLowerCase() ? 'exportKey' : null
}

function namedIn(cells: ReadonlyMap<string, string>, place: Phrase): Named {
  const named: Record<keyof Named, string | null> = { id: null, externalId: null, exportKey: null }
  for (const [header, cell] of cells) {
    const name = nameOf(header)
    if (name !== null && cell !== '') named[name] = cell
  }
  const { id, externalId, exportKey } = named
  if (id === null && externalId === null && exportKey === null) throw nothingNamed(place)
  return { id: id === null ? null : idIn(id, place), externalId, exportKey }
}

function idIn(text: string, place: Phrase): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw unreadable(phrase('isNoId', { place, value: text.slice(0, 50) }))
}

function nothingNamed(place: Phrase): Fault {
  return unreadable(phrase('namesNoLine', { place }))
}

function unreadable(problem: Phrase): Fault {
  return new Fault('UnreadableFile', { says: { problem } })
}
