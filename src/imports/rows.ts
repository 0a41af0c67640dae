// The lines of a table become rows of a resource: those that can be read, and what is wrong with the others.
import { Fault, type Detail } from '../errors/catalog.ts'
import type { ImportColumn, ImportColumns } from './columns.ts'
import type { Table } from './read-table.ts'
import { inSlices } from '../lib/yield-to-event-loop.ts'
import type { Resource } from '../engine/model/resource.ts'
import { phrase, type Phrase } from '../errors/messages.ts'
import { CellRows } from '../engine/formats/csv/cell-rows.ts'
import { listRowsMax } from '../engine/formats/read/read-records.ts'
import type { BoundRow } from '../engine/formats/read/row-binder.ts'

export interface TableRows {
  readonly resource: Resource
  readonly table: Table
  readonly columns: ImportColumns
  /** The company's, an IANA name. */
  readonly zone: string
  /** An empty cell empties its field; otherwise it leaves it as it is. */
  readonly isEmptying: boolean
  /** Told how many rows are behind it. */
  readonly onProgress?: (step: 'reading' | 'storing', rows: number) => void
}

/** A row that can be read, with the index of its line in the table. */
export interface ImportRow extends Pick<BoundRow, 'place' | 'values'> {
  readonly index: number
}

/** What is wrong, by the index of the line. */
export type Wrong = ReadonlyMap<number, readonly Detail[]>

export interface ReadRows {
  readonly rows: readonly ImportRow[]
  readonly wrong: Wrong
}

export interface WrongLine {
  /** As the file counts, from 1. */
  readonly line: number
  readonly cells: readonly string[]
  readonly problems: readonly LineProblem[]
}

export interface LineProblem {
  /** The header of the column; null where it is none of one cell. */
  readonly header: string | null
  readonly detail: Detail
}

export async function readRows({
  resource,
  table,
  columns,
  zone,
  isEmptying,
  onProgress,
}: TableRows): Promise<ReadRows> {
  const cells = new CellRows({
    resource,
    columns: columns.read,
    zone,
    rowsMax: listRowsMax,
    isEmptying,
  })
  await inSlices(table.lines, sliceRows, (slice, start) => {
    for (const line of slice) cells.add(line.cells)
    onProgress?.('reading', start + slice.length)
  })
  const wrong = new Map<number, readonly Detail[]>()
  const rows: ImportRow[] = []
  cells.rows.forEach(({ place, values, details: own }, index) => {
    const details = [...own, ...beyondHeaders(table, index, place)]
    if (details.length > 0) wrong.set(index, details)
    else rows.push({ index, place, values })
  })
  return { rows, wrong }
}

export const sliceRows = 1000

/** A cell too many is mostly a delimiter inside of another, and then those behind it are all in the wrong place. */
function beyondHeaders({ headers, lines }: Table, index: number, place: string): Detail[] {
  const cell = lines[index]?.cells.slice(headers.length).find((one) => one.trim() !== '')
  if (cell === undefined) return []
  const says = { field: `"${cell.slice(0, 60)}"`, problem: phrase('cellsBeyond') }
  return [new Fault('InvalidValue', { says }).detail(place)]
}

/** What is wrong with one field of a row, at its place. */
export function problemAt(
  { fields }: Resource,
  name: string,
  place: string,
  problem: Phrase,
): Detail {
  const field = fields[name]?.wire ?? name
  return new Fault('InvalidValue', { target: field, says: { field, problem } }).detail(place)
}

export function wrongLines(
  wrong: Wrong,
  { table, columns }: Pick<TableRows, 'table' | 'columns'>,
): WrongLine[] {
  return [...wrong]
    .sort(([one], [other]) => one - other)
    .map(([index, details]) => ({
      line: table.lines[index]?.line ?? 0,
      cells: table.lines[index]?.cells ?? [],
      problems: details.map((detail) => ({ header: headerOf(detail, columns.read), detail })),
    }))
}

/** `[3].Fodt` is told of the column that was read as `Fodt`. */
function headerOf({ target }: Detail, columns: readonly ImportColumn[]): string | null {
  const wire = target?.replace(/^\[\d+\]\.?/, '')
  return columns.find(({ field }) => field.wire === wire)?.header ?? null
}
