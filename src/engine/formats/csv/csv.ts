// Tables as CSV: read as spreadsheets write it, written so that a spreadsheet takes no cell for a formula.
import { CsvError, parse, type Parser } from 'csv-parse'
import { Fault } from '../../../errors/catalog.ts'
import { nextTick } from '../../../lib/yield-to-event-loop.ts'
import { phrase } from '../../../errors/messages.ts'

/** A line of a table: its cells, and where it stood in the file, counted from 1. */
export interface TableLine {
  readonly line: number
  readonly cells: readonly string[]
}

/** Lines whose cells are all blank are left out. Throws `UnreadableFile` for a quote that is never closed, and for a line beyond all measure. */
export async function* readCsv(text: string): AsyncGenerator<TableLine> {
  const told = /^sep=(.)\r?\n/.exec(text)
  const delimiter = told?.[1] ?? delimiterOf(text)
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  })
  const linesBefore = told === null ? 0 : 1
  const bytes = Buffer.from(told === null ? text : text.slice(told[0].length))
  void feed(parser, piecesOf(bytes, parser, linesBefore))
  try {
    for await (const record of parser) {
      const { line, cells } = toLine(record)
      if (cells.some((cell) => cell.trim() !== '')) yield { line: line + linesBefore, cells }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = Number(error['lines'] ?? 1) + linesBefore
    throw new Fault('UnreadableFile', { says: { problem: phrase('quoteOpenInFile', { line }) } })
  }
}

/** As fast as the records are read; what goes wrong is thrown there. */
async function feed(parser: Parser, pieces: Iterable<Buffer>): Promise<void> {
  try {
    for (const piece of pieces) {
      if (!parser.write(piece)) await new Promise((resolve) => parser.once('drain', resolve))
      // Records go from hand to hand without a turn for anybody else.
      await nextTick()
    }
    parser.end()
  } catch (error) {
    parser.destroy(error instanceof Error ? error : new Error(String(error)))
  }
}

/** Piece by piece, so that nothing is parsed that nobody reads: a text at once would become all its records at once. */
function* piecesOf(bytes: Buffer, { info }: Parser, linesBefore: number): Generator<Buffer> {
  let read = 0
  let since = 0
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const now = info.records + info.empty_lines
    if (now > read) [read, since] = [now, at]
    if (at - since > lineBytesMax) {
      const line = info.lines + linesBefore
      const problem = phrase('lineTooLong', { line, max: lineBytesMax })
      throw new Fault('UnreadableFile', { says: { problem } })
    }
    yield bytes.subarray(at, at + pieceBytes)
  }
}

const pieceBytes = 64 * 1024
/** Many times what the cells of a table hold, and little enough to become cells that nobody wants. */
const lineBytesMax = 4 * 1024 * 1024

/** What the parser tells of a record is typed for its usual form, without `info`. */
function toLine(told: unknown): TableLine {
  if (typeof told !== 'object' || told === null || !('record' in told) || !('info' in told))
    throw new Error('the parser told no record')
  const { record, info } = told
  const isCounted = typeof info === 'object' && info !== null && 'lines' in info
  return {
    line: isCounted ? Number(info.lines) : 0,
    cells: Array.isArray(record) ? record.map(String) : [],
  }
}

/** Whichever stands most often outside of quotes in the first line; Norwegian spreadsheets write semicolons. */
function delimiterOf(text: string): string {
  const counts = new Map([';', ',', '\t'].map((one) => [one, 0]))
  let isQuoted = false
  for (const character of text.slice(0, headerLengthMax)) {
    if (character === '"') isQuoted = !isQuoted
    if (isQuoted) continue
    if (character === '\n' || character === '\r') break
    const count = counts.get(character)
    if (count !== undefined) counts.set(character, count + 1)
  }
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one)
  return most?.[0] ?? ';'
}

const headerLengthMax = 100_000

/** For Norwegian spreadsheets: semicolons, a byte order mark in front of the first line, CRLF. */
export const byteOrderMark = '\uFEFF'

/** Every cell is quoted, and none begins with a character that would make it a formula. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${harmless(cell).replaceAll('"', '""')}"`).join(';')}\r\n`
}

/** A plain number may begin with its sign. */
function harmless(cell: string): string {
  return startsFormula.test(cell) && !plainNumber.test(cell) ? `'${cell}` : cell
}

/** The same cell read again. */
export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && startsFormula.test(cell.slice(1)) ? cell.slice(1) : cell
}

const startsFormula = /^[=+\-@\t\r\n＝＋－＠]/
const plainNumber = /^[+-]?\d+([.,]\d+)?$/
