// Files of the export journal: each server appends to its own and reads those of all.
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { noHash, parseLine, type JournalLine } from './record.ts'
import { exitCodes, OperatorError } from '../lib/operator-error.ts'
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'

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

/** Receives a line and its hash. */
export type OnLine = (line: JournalLine, hash: string) => void

/** The end of a complete line. */
export interface LineEnd {
  /** Of the file up to it. */
  readonly bytes: number
  readonly lines: number
  readonly hash: string
}

/**
 * Passes each line after `from` to `onLine` and returns the end of the last complete line: an incomplete one after a crash was never
 * acknowledged. Throws an `OperatorError` for a damaged line.
 */
export async function readFileLines(
  { path }: JournalFile,
  onLine: OnLine,
  from: LineEnd = { bytes: 0, lines: 0, hash: noHash },
): Promise<LineEnd> {
  const chunks: Buffer[] = await Array.fromAsync(
    createReadStream(path, { start: from.bytes, highWaterMark: chunkBytes }),
  )
  const content = Buffer.concat(chunks)
  let [{ hash, lines }, start, sliceEnd] = [from, 0, sliceBytes]
  for (;;) {
    const lineFeed = content.indexOf('\n', start)
    if (lineFeed === -1) return { bytes: from.bytes + start, lines, hash }
    const read = parseLine(content.toString('utf8', start, lineFeed), hash)
    lines += 1
    if (read === null || (lines === 1) !== (read.line.kind === 'opening'))
      throw new OperatorError(
        `The export journal ${path} is damaged at line ${lines}. Replace it with an intact copy, or move it away and reconcile with the receivers before you release exports.`,
        exitCodes.storage,
      )
    onLine(read.line, read.hash)
    hash = read.hash
    start = lineFeed + 1
    if (start < sliceEnd) continue
    // A running server reads as well.
    await yieldToEventLoop()
    sliceEnd = start + sliceBytes
  }
}

const chunkBytes = 1024 * 1024
/** They take some milliseconds. */
const sliceBytes = 256 * 1024
