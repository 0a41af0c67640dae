// Parses the lines of a table into rows of a resource, and collects the errors of invalid ones.
import { ApiError, fieldError, type ErrorDetail } from '../errors/api-error.ts'
import type { ImportColumn, ImportColumns } from './columns.ts'
import type { ImportTable } from './read-table.ts'
import { forEachChunk } from '../lib/yield-to-event-loop.ts'
import type { Resource } from '../engine/model/resource.ts'
import { message, type LocalizedMessage } from '../errors/messages.ts'
import { TableRowBinder } from '../engine/formats/read/table-row-binder.ts'
import { listRowsMax } from '../engine/formats/read/read-records.ts'
import type { BoundRow } from '../engine/formats/read/bound-rows.ts'

export interface TableRows {
  readonly resource: Resource
  readonly table: ImportTable
  readonly columns: ImportColumns
  /** The company's, an IANA name. */
  readonly zone: string
  /** Whether an empty cell clears its field; otherwise the field keeps its value. */
  readonly isEmptying: boolean
  /** Called with the number of rows processed. */
  readonly onProgress?: (step: 'reading' | 'storing', rows: number) => void
}

/** A valid row, with the index of its line in the table. */
export interface ImportRow extends Pick<BoundRow, 'location' | 'values'> {
  readonly index: number
}

/** The errors of invalid lines, by index. */
export type InvalidRows = ReadonlyMap<number, readonly ErrorDetail[]>

export interface InvalidLine {
  /** The line number in the file, from 1. */
  readonly line: number
  readonly cells: readonly string[]
  readonly problems: readonly LineProblem[]
}

export interface LineProblem {
  /** The header of the column; null when the error is not about one cell. */
  readonly header: string | null
  readonly detail: ErrorDetail
}

export async function parseRows(tableRows: TableRows): Promise<{ rows: readonly ImportRow[]; invalid: InvalidRows }> {
  const { resource, table, columns, zone, isEmptying: clearsOnEmptyCell, onProgress } = tableRows
  const cells = new TableRowBinder({ resource, columns: columns.read, zone, rowsMax: listRowsMax, clearsOnEmptyCell })
  await forEachChunk(table.lines, chunkRows, (chunk, start) => {
    for (const line of chunk) cells.add(line.cells)
    onProgress?.('reading', start + chunk.length)
  })
  const invalid = new Map<number, readonly ErrorDetail[]>()
  const rows: ImportRow[] = []
  cells.rows.forEach(({ location, values, details: own }, index) => {
    const details = [...own, ...extraCellErrors(table, index, location)]
    if (details.length > 0) invalid.set(index, details)
    else rows.push({ index, location, values })
  })
  return { rows, invalid }
}

export const chunkRows = 1000

/** An extra cell usually means an unquoted delimiter, so that the cells after it are in the wrong columns. */
function extraCellErrors({ headers, lines }: ImportTable, index: number, location: string): ErrorDetail[] {
  const cell = lines[index]?.cells.slice(headers.length).find((one) => one.trim() !== '')
  if (cell === undefined) return []
  const params = { field: `"${cell.slice(0, 60)}"`, problem: message('beyondLastColumn') }
  return [new ApiError('InvalidValue', { params }).toDetail(location)]
}

export function cellError(
  { fields }: Resource,
  name: string,
  location: string,
  problem: LocalizedMessage,
): ErrorDetail {
  const field = fields[name]?.wire ?? name
  return fieldError('InvalidValue', field, { problem }).toDetail(location)
}

export function listInvalidLines(
  invalid: InvalidRows,
  { table, columns }: Pick<TableRows, 'table' | 'columns'>,
): InvalidLine[] {
  return [...invalid]
    .sort(([one], [other]) => one - other)
    .map(([index, details]) => ({
      line: table.lines[index]?.line ?? 0,
      cells: table.lines[index]?.cells ?? [],
      problems: details.map((detail) => ({ header: headerOf(detail, columns.read), detail })),
    }))
}

/** The column of a target such as `[3].Fodt`. */
function headerOf({ target }: ErrorDetail, columns: readonly ImportColumn[]): string | null {
  const wire = target?.replace(/^\[\d+\]\.?/, '')
  return columns.find(({ field }) => field.wire === wire)?.header ?? null
}
