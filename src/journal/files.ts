// Files of the export journal: each server appends to its own and reads those of all.
import { mkdir, readdir, readFile, rename } from 'node:fs/promises'
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

/** Receives a line and its hash. */
export type OnLine = (line: JournalLine, hash: string) => void

/**
 * Passes each line to `onLine` and returns the hash of the last complete line, or `noHash`: an incomplete line after a
 * crash was never acknowledged. Throws an `OperatorError` for a damaged line.
 */
export async function readFileLines({ path }: JournalFile, onLine: OnLine): Promise<string> {
  const content = await readFile(path)
  let [hash, start] = [noHash, 0]
  for (let number = 1; ; number++) {
    const lineFeed = content.indexOf('\n', start)
    if (lineFeed === -1) return hash
    const read = parseLine(content.toString('utf8', start, lineFeed), hash)
    const isFirst = number === 1
    if (read === null || isFirst !== (read.line.kind === 'opening'))
      throw new OperatorError(
        `The export journal ${path} is damaged at line ${number}. Replace it with an intact copy, or move it away and reconcile with the receivers before you release exports.`,
        exitCodes.storage,
      )
    onLine(read.line, read.hash)
    hash = read.hash
    start = lineFeed + 1
  }
}
