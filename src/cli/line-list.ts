// A list of lines as a receiver writes it: ids, its own ids or export keys, in JSON, CSV or a workbook.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { World } from '#cli/world.ts'
import { readTable } from '#imports/read-table.ts'
import { exitCodes, OperatorError } from '#lib/operator-error.ts'
import type { Named } from '#materials/reconcile.ts'
import { exportable } from '#model/transaction.ts'
import { withoutGuard } from '#wire/csv.ts'

/** What a bare value of a list is. */
export const namings = ['id', 'external', 'key'] as const

export type Naming = (typeof namings)[number]

/** Reads the file; `-` is the standard input. Throws an `OperatorError` that names the place. */
export const readLineList = async (world: World, file: string, by: Naming): Promise<Named[]> => {
  const bytes = file === '-' ? await inputOf(world) : bytesOf(resolve(world.cwd, file))
  const isJson = /^\s*[[{]/.test(
    bytes
      .subarray(0, 100)
      .toString()
      .replace(/^\uFEFF/, ''),
  )
  return isJson ? readJson(bytes.toString(), by) : readCells(bytes, by)
}

/** The ids of a list that is to be acted upon. */
export const idsOf = (list: readonly Named[]): number[] =>
  list.map(({ id }, index) => {
    if (id === null) throw unreadable(`entry ${index + 1} has no id`)
    return id
  })

/** Ids as they are typed: `17 18` or `17,18`. */
export const readIds = (texts: readonly string[]): Named[] =>
  texts
    .flatMap((text) => text.split(','))
    .filter((text) => text !== '')
    .map((text) => namedOf(text, 'id', `"${text}"`))

const readJson = (text: string, by: Naming): Named[] => {
  const list = listIn(parsed(text))
  return list.map((entry, index) => {
    const place = `entry ${index + 1}`
    if (typeof entry === 'number' || typeof entry === 'string')
      return namedOf(String(entry), by, place)
    if (typeof entry !== 'object' || entry === null) throw unreadable(`${place} names no line`)
    return namedIn(
      new Map(Object.entries(entry).map(([name, value]) => [name, cellOf(value)])),
      place,
    )
  })
}

/** The array, or the one inside of `{"ids": […]}`, `{"items": […]}` or `{"value": […]}`. */
const listIn = (sent: unknown): readonly unknown[] => {
  if (Array.isArray(sent)) return sent
  const lists = typeof sent === 'object' && sent !== null ? Object.values(sent) : []
  const list = lists.find((one) => Array.isArray(one))
  if (!Array.isArray(list)) throw unreadable('it holds no list')
  return list
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw unreadable(error instanceof Error ? error.message : 'it is no JSON')
  }
}

const cellOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

const readCells = async (bytes: Buffer, by: Naming): Promise<Named[]> => {
  const { headers, lines } = await readTable(bytes)
  const cells = (line: readonly string[]) =>
    new Map(headers.map((header, index) => [header, withoutGuard((line[index] ?? '').trim())]))
  if (headers.some((header) => nameOf(header) !== null))
    return lines.map(({ line, cells: row }) => namedIn(cells(row), `line ${line}`))
  // One column without a header: its first line is a value like the others.
  if (headers.length !== 1) throw unreadable('no column is called Id, externalId or Eksportnokkel')
  return [
    namedOf(headers[0] ?? '', by, 'line 1'),
    ...lines.map(({ line, cells: row }) =>
      namedOf(withoutGuard((row[0] ?? '').trim()), by, `line ${line}`),
    ),
  ]
}

/** `EksternId` of a line is what its source calls it, not what the receiver does. */
const nameOf = (header: string): keyof Named | null => {
  const lower = header.toLowerCase()
  if (lower === 'id') return 'id'
  if (lower === 'externalid') return 'externalId'
  return lower === exportable.fields.exportKey.wire.toLowerCase() ? 'exportKey' : null
}

const namedIn = (cells: ReadonlyMap<string, string>, place: string): Named => {
  const named: Record<keyof Named, string | null> = { id: null, externalId: null, exportKey: null }
  for (const [header, cell] of cells) {
    const name = nameOf(header)
    if (name !== null && cell !== '') named[name] = cell
  }
  const { id, externalId, exportKey } = named
  if (id === null && externalId === null && exportKey === null)
    throw unreadable(`${place} names no line`)
  return { id: id === null ? null : idIn(id, place), externalId, exportKey }
}

const namedOf = (text: string, by: Naming, place: string): Named => ({
  id: by === 'id' ? idIn(text, place) : null,
  externalId: by === 'external' ? text : null,
  exportKey: by === 'key' ? text : null,
})

const idIn = (text: string, place: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw unreadable(`${place}: "${text}" is no id`)
  return Number(text)
}

const inputOf = async ({ input }: World): Promise<Buffer> => {
  const pieces: Buffer[] = []
  for await (const piece of input) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

const bytesOf = (path: string): Buffer => {
  try {
    return readFileSync(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new OperatorError(`${path} cannot be read: ${code}.`, exitCodes.failure, error)
  }
}

const unreadable = (problem: string): OperatorError =>
  new OperatorError(`The list cannot be read: ${problem}.`, exitCodes.usage)
