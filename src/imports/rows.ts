// Parses the lines of a table into rows of a resource, and collects the errors of invalid ones.
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
  /** Whether an empty cell clears its field; otherwise the field keeps its value. */
  readonly isEmptying: boolean
  /** Called with the number of rows processed. */
  readonly onProgress?: (step: 'reading' | 'storing', rows: number) => void
}

/** A valid row, with the index of its line in the table. */
export interface ImportRow extends Pick<BoundRow, 'place' | 'values'> {
  readonly index: number
}

/** The errors of invalid lines, by index. */
export type Wrong = ReadonlyMap<number, readonly Detail[]>

export interface ReadRows {
  readonly rows: readonly ImportRow[]
  readonly wrong: Wrong
}

export interface WrongLine {
  /** The line number in the file, from 1. */
  readonly line: number
  readonly cells: readonly string[]
  readonly problems: readonly LineProblem[]
}

export interface LineProblem {
  /** The header of the column; null when the error is not about one cell. */
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

/** An extra cell usually means an unquoted delimiter, so that the cells after it are in the wrong columns. */
function beyondHeaders({ headers, lines }: Table, index: number, place: string): Detail[] {
  const cell = lines[index]?.cells.slice(headers.length).find((one) => one.trim() !== '')
  if (cell === undefined) return []
  const says = { field: `"${cell.slice(0, 60)}"`, problem: phrase('cellsBeyond') }
  return [new Fault('InvalidValue', { says }).detail(place)]
}

/** The error of one field of a row. */
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

/** The column of a target such as `[3].Fodt`. */
function headerOf({ target }: Detail, columns: readonly ImportColumn[]): string | null {
  const wire = target?.replace(/^\[\d+\]\.?/, '')
  return columns.find(({ field }) => field.wire === wire)?.header ?? null
}
