// The invalid rows of an import as a CSV file, to be corrected and imported again.
import { sentence } from '../errors/catalog.ts'
import type { LineProblem, WrongLine } from './rows.ts'
import { inSlices } from '../lib/yield-to-event-loop.ts'
import { errorHeaders } from '../model/import-headers.ts'
import type { Language } from '../errors/messages.ts'
import { byteOrderMark, csvLine } from '../engine/formats/csv/csv.ts'

/** CSV: the cells of each row, then its line number and its errors. */
export async function wrongText(
  headers: readonly string[],
  wrong: readonly WrongLine[],
  language: Language,
): Promise<string> {
  const width = wrong.reduce((most, { cells }) => Math.max(most, cells.length), headers.length)
  const filled = (cells: readonly string[]) =>
    Array.from({ length: width }, (_, index) => cells[index] ?? '')
  const { line, problem } = errorHeaders
  const lines: string[] = []
  await inSlices(wrong, 500, (slice) => {
    for (const { line, cells, problems } of slice) {
      const says = problems.map((one) => problemText(one, language)).join(' ')
      lines.push(csvLine([...filled(cells), String(line), says]))
    }
  })
  return (
    byteOrderMark +
    csvLine([...filled(headers), line[language], problem[language]]) +
    lines.join('')
  )
}

/** The message, prefixed with the header of its column. */
export function problemText({ header, detail }: LineProblem, language: Language): string {
  const says = sentence(detail.code, detail.says, language)
  return header === null ? says : `${header}: ${says}`
}
