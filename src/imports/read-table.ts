// Reads a CSV or Excel file as a table: a header row and the lines below it.
import { readWorkbook } from './workbook.ts'
import { Fault } from '../errors/catalog.ts'
import { phrase, type Phrase } from '../errors/messages.ts'
import { readCsv, type TableLine } from '../engine/formats/csv/csv.ts'
import { fileText } from '../engine/formats/csv/file-text.ts'
import { listRowsMax } from '../engine/formats/read/read-records.ts'

export interface Table {
  readonly headers: readonly string[]
  readonly lines: readonly TableLine[]
}

/** The maximum file size, the same as that of a list body. */
export const fileBytesMax = 32 * 1024 * 1024

/** CSV in the usual dialects, or the first sheet of a workbook. Throws `UnreadableFile` and `TooManyItems`. */
export async function readTable(bytes: Buffer): Promise<Table> {
  if (bytes.length > fileBytesMax) throw unreadable(phrase('fileTooLarge', { max: fileBytesMax }))
  if (startsWith(bytes, oldWorkbookMark)) throw unreadable(phrase('oldWorkbook'))
  const lines = startsWith(bytes, zipMark)
    ? sheetLines(await readWorkbook(bytes))
    : readCsv(fileText(bytes))
  let headers: readonly string[] | null = null
  const below: TableLine[] = []
  for await (const line of lines) {
    if (headers === null) headers = headersIn(line)
    else if (below.length === listRowsMax)
      throw new Fault('TooManyItems', { says: { max: listRowsMax } })
    else below.push(line)
  }
  if (headers === null) throw unreadable(phrase('fileEmpty'))
  return { headers, lines: below }
}

function headersIn({ cells }: TableLine): readonly string[] {
  if (cells.length > columnsMax) throw unreadable(phrase('tooManyColumns', { max: columnsMax }))
  return cells.map((cell) => cell.trim())
}

const columnsMax = 1000

function sheetLines(rows: readonly (readonly string[])[]): TableLine[] {
  return rows
    .map((cells, index) => ({ line: index + 1, cells }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
}

function unreadable(problem: Phrase): Fault {
  return new Fault('UnreadableFile', { says: { problem } })
}

function startsWith(bytes: Buffer, mark: Buffer): boolean {
  return bytes.subarray(0, mark.length).equals(mark)
}

const zipMark = Buffer.from('PK\u0003\u0004', 'latin1')
const oldWorkbookMark = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])
