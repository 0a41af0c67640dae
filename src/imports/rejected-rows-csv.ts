// The invalid rows of an import as a CSV file, to be corrected and imported again.
import { errorMessage } from '../errors/catalog.ts'
import type { LineProblem, InvalidLine } from './rows.ts'
import { forEachChunk } from '../lib/yield-to-event-loop.ts'
import { errorHeaders } from '../model/import-headers.ts'
import type { Language } from '../errors/messages.ts'
import { byteOrderMark, csvLine } from '../engine/formats/csv/csv.ts'

/** CSV: the cells of each row, then its line number and its errors. */
export async function writeInvalidRows(
  headers: readonly string[],
  invalid: readonly InvalidLine[],
  language: Language,
): Promise<string> {
  const width = invalid.reduce((most, { cells }) => Math.max(most, cells.length), headers.length)
  const padCells = (cells: readonly string[]) => Array.from({ length: width }, (_, index) => cells[index] ?? '')
  const lines: string[] = []
  await forEachChunk(invalid, 500, (chunk) => {
    for (const { line, cells, problems } of chunk) {
      const params = problems.map((one) => formatProblem(one, language)).join(' ')
      lines.push(csvLine([...padCells(cells), String(line), params]))
    }
  })
  return byteOrderMark + csvLine([...padCells(headers), ...errorHeaders[language]]) + lines.join('')
}

/** The message, which names the field as the header of its column does. */
export function formatProblem({ header, detail: { code, params } }: LineProblem, language: Language): string {
  if (header === null) return errorMessage(code, params, language)
  const text = errorMessage(code, { ...params, field: header }, language)
  return text.includes(header) ? text : `${header}: ${text}`
}
