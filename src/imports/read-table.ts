// Reads a CSV or Excel file as a table: a header row and the lines below it.
import { readWorkbook, type FileSender } from './workbook.ts'
import { ApiError } from '../errors/api-error.ts'
import { unreadableFileError } from './field-names.ts'
import { parseCsv, type TableLine } from '../engine/formats/csv/csv.ts'
import { decodeFileText } from '../engine/formats/csv/file-text.ts'
import { listRowsMax } from '../engine/formats/read/read-records.ts'

export interface ImportTable {
  readonly headers: readonly string[]
  readonly lines: readonly TableLine[]
}

/** The maximum file size, the same as that of a list body. */
export const fileBytesMax = 32 * 1024 * 1024

/** CSV in the usual dialects, or the first sheet of a workbook. Throws `UnreadableFile` and `TooManyItems`. */
export async function readTable(bytes: Buffer, sender: FileSender): Promise<ImportTable> {
  if (bytes.length > fileBytesMax) throw unreadableFileError('fileTooLarge', { max: fileBytesMax })
  if (startsWith(bytes, oldWorkbookMark)) throw unreadableFileError('oldWorkbook')
  const lines = startsWith(bytes, zipMark)
    ? (await readWorkbook(bytes, sender))
        .map((cells, index) => ({ line: index + 1, cells }))
        .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
    : parseCsv(decodeFileText(bytes))
  let headers: readonly string[] | null = null
  const rows: TableLine[] = []
  for await (const line of lines) {
    if (headers === null) {
      if (line.cells.length > columnsMax) throw unreadableFileError('tooManyColumns', { max: columnsMax })
      headers = line.cells.map((cell) => cell.trim())
    } else if (rows.length === listRowsMax) throw new ApiError('TooManyItems', { params: { max: listRowsMax } })
    else rows.push(line)
  }
  if (headers === null) throw unreadableFileError('headerRowMissing')
  return { headers, lines: rows }
}

const columnsMax = 1000

function startsWith(bytes: Buffer, mark: Buffer): boolean {
  return bytes.subarray(0, mark.length).equals(mark)
}

const zipMark = Buffer.from('PK\u0003\u0004', 'latin1')
const oldWorkbookMark = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])
