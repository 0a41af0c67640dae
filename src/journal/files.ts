// Files of the export journal: each server appends to its own and reads those of all.
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { noHash, parseLine, type JournalLine } from './record.ts'
import { exitCodes, OperatorError } from '../lib/operator-error.ts'

export interface JournalFile {
  readonly path: string
  readonly server: string
  /** From 1, in writing order. */
  readonly number: number
}

export function journalFile(folder: string, server: string, number: number): JournalFile {
  return { path: join(folder, `${server}-${String(number).padStart(6, '0')}.journal`), server, number }
}

/** By server, in writing order. */
export async function listJournalFiles(folder: string): Promise<readonly JournalFile[]> {
  const names = await readdir(folder)
  return names
    .flatMap((name) => {
      const { server, number } = fileNamePattern.exec(name)?.groups ?? {}
      return server === undefined ? [] : [journalFile(folder, server, Number(number))]
    })
    .sort((a, b) => (a.server < b.server ? -1 : a.server > b.server ? 1 : a.number - b.number))
}

/** Moves files of a database that is lost into a subfolder, where no server reads them. `at` in microseconds. */
export async function setJournalAside(files: readonly JournalFile[], at: number): Promise<void> {
  for (const { path } of files) {
    const folder = join(dirname(path), `lost-${at}`)
    await mkdir(folder, { recursive: true })
    await rename(path, join(folder, basename(path)))
  }
}

const fileNamePattern = /^(?<server>[a-z\d-]+)-(?<number>\d{6,})\.journal$/

/** The end of a complete line. */
export interface LineEnd {
  /** Of the file up to it. */
  readonly bytes: number
  readonly lines: number
  readonly hash: string
}

export const fileStart: LineEnd = { bytes: 0, lines: 0, hash: noHash }

/**
 * Reads each complete line after `from`, with its end: an incomplete one after a crash was never acknowledged. Reads a file of
 * any size in chunks, between which a running server serves others. Throws an `OperatorError` for a damaged line.
 */
export async function* readFileLines(
  { path }: JournalFile,
  from = fileStart,
): AsyncGenerator<{ readonly line: JournalLine; readonly end: LineEnd }> {
  let [end, rest] = [from, Buffer.alloc(0)]
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { start: from.bytes, highWaterMark: chunkBytes })
  for await (const chunk of chunks) {
    const content = Buffer.concat([rest, chunk])
    let start = 0
    for (let lineFeed = content.indexOf('\n'); lineFeed !== -1; lineFeed = content.indexOf('\n', start)) {
      const read = parseLine(content.toString('utf8', start, lineFeed), end.hash)
      const lines = end.lines + 1
      if (read === null || (lines === 1) !== (read.line.kind === 'opening'))
        throw new OperatorError(
          `The export journal ${path} is damaged at line ${lines}. Replace it with an intact copy, or move it away and reconcile with the receivers before you release exports.`,
          exitCodes.storage,
        )
      end = { bytes: end.bytes + lineFeed + 1 - start, lines, hash: read.hash }
      start = lineFeed + 1
      yield { line: read.line, end }
    }
    rest = content.subarray(start)
  }
}

/** The lines of one take some milliseconds. */
const chunkBytes = 256 * 1024
