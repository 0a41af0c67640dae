// CSV: a parser for spreadsheet exports, and a writer that guards against formula injection.
import { CsvError, parse, type Parser } from 'csv-parse'
import { ApiError } from '../../../errors/api-error.ts'
import { yieldToEventLoop } from '../../../lib/yield-to-event-loop.ts'
import { message } from '../../../errors/messages.ts'

/** A line of a table: its cells, and its line number in the file, from 1. */
export interface TableLine {
  readonly line: number
  readonly cells: readonly string[]
}

/** Skips lines of blank cells. Throws `UnreadableFile` for a quote that is never closed, and for a line longer than `lineBytesMax`. */
export async function* parseCsv(text: string): AsyncGenerator<TableLine> {
  const separatorLine = /^sep=(.)\r?\n/.exec(text)
  const delimiter = separatorLine?.[1] ?? detectDelimiter(text)
  const parser = parse({
    delimiter,
    info: true,
    record_delimiter: lineBreaks,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  })
  const bytes = Buffer.from(separatorLine === null ? text : text.slice(separatorLine[0].length))
  const firstLine = separatorLine === null ? 1 : 2
  const lines = new LineCounter(bytes, firstLine)
  void feedParser(parser, chunksOf(bytes, parser, firstLine))
  try {
    for await (const record of parser) {
      const { end, cells } = toRecord(record)
      // Before the line break that ends the record.
      const line = lines.lineAt(end - 1)
      if (cells.some((cell) => cell.trim() !== '')) yield { line, cells }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const quoteAt = bytes.indexOf('"', parser.info.bytes)
    const line = new LineCounter(bytes, firstLine).lineAt(quoteAt)
    throw new ApiError('UnreadableFile', { params: { problem: message('csvQuoteNotClosed', { line }) } })
  }
}

/** A file may have several: lines that were appended to an export. The parser prefers the first one that matches. */
const lineBreaks = ['\r\n', '\n', '\r']

/** Counts lines up to increasing positions. The parser counts CRLF in quotes twice. */
class LineCounter {
  readonly #bytes: Buffer
  #line: number
  #at = 0

  constructor(bytes: Buffer, firstLine: number) {
    this.#bytes = bytes
    this.#line = firstLine
  }

  lineAt(position: number): number {
    for (; this.#at < position; this.#at += 1) {
      const byte = this.#bytes[this.#at]
      if (byte === lineFeed || (byte === carriageReturn && this.#bytes[this.#at + 1] !== lineFeed)) this.#line += 1
    }
    return this.#line
  }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Writes as fast as the records are consumed; errors are thrown at the consumer. */
async function feedParser(parser: Parser, chunks: Iterable<Buffer>): Promise<void> {
  try {
    for (const chunk of chunks) {
      if (!parser.write(chunk)) await new Promise((resolve) => parser.once('drain', resolve))
      // The parser and its consumer run without a turn of the event loop between them.
      await yieldToEventLoop()
    }
    parser.end()
  } catch (error) {
    parser.destroy(error instanceof Error ? error : new Error(String(error)))
  }
}

/** In chunks, so that records are parsed on demand: a text written at once would become all its records at once. */
function* chunksOf(bytes: Buffer, { info }: Parser, firstLine: number): Generator<Buffer> {
  let read = 0
  let since = 0
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const now = info.records + info.empty_lines
    if (now > read) [read, since] = [now, at]
    if (at - since > lineBytesMax) {
      const line = new LineCounter(bytes, firstLine).lineAt(info.bytes)
      const problem = message('lineTooLong', { line, max: lineBytesMax })
      throw new ApiError('UnreadableFile', { params: { problem } })
    }
    yield bytes.subarray(at, at + chunkBytes)
  }
}

const chunkBytes = 64 * 1024
/** Many times the length of real lines, and small enough to parse into unwanted cells. */
const lineBytesMax = 4 * 1024 * 1024

/** The parser's types do not cover the form of records with `info`. `end`: the position after the record and its line break. */
function toRecord(parsed: unknown): { readonly end: number; readonly cells: readonly string[] } {
  if (typeof parsed !== 'object' || parsed === null || !('record' in parsed) || !('info' in parsed))
    throw new Error('the CSV parser returned no record')
  const { record, info } = parsed
  const isLocated = typeof info === 'object' && info !== null && 'bytes' in info
  return { end: isLocated ? Number(info.bytes) : 0, cells: Array.isArray(record) ? record.map(String) : [] }
}

/** The most frequent separator outside quotes in the first line; Norwegian spreadsheets write semicolons. */
function detectDelimiter(text: string): string {
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

/** Norwegian spreadsheets expect semicolons, a byte order mark before the first line, and CRLF. */
export const byteOrderMark = '\uFEFF'

/** Quotes every cell, and guards those that begin with a character that starts a formula. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${guardFormula(cell).replaceAll('"', '""')}"`).join(';')}\r\n`
}

/** A plain number may begin with a sign. */
function guardFormula(cell: string): string {
  return startsFormula.test(cell) && !plainNumber.test(cell) ? `'${cell}` : cell
}

/** The cell without the quote that `guardFormula` added. */
export function removeFormulaGuard(cell: string): string {
  return cell.startsWith("'") && startsFormula.test(cell.slice(1)) ? cell.slice(1) : cell
}

const startsFormula = /^[=+\-@\t\r\n＝＋－＠]/
const plainNumber = /^[+-]?\d+([.,]\d+)?$/
