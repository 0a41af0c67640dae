// Reads the export journal of all servers.
import { FileChain } from './file-chain.ts'
import { Watermarks } from './watermarks.ts'
import { fileStart, listJournalFiles, readFileLines, type JournalFile, type LineEnd } from './files.ts'
import { noHash, type JournalLine, type JournalRecord } from './record.ts'

/** The watermarks of all servers, without opening the journal for writing. Throws an `OperatorError` for a damaged file. */
export async function readWatermarks(folder: string): Promise<Watermarks> {
  const watermarks = new Watermarks()
  await readNewestFiles(folder, (line) => watermarks.add(line))
  return watermarks
}

/** Where the files of a server end. */
interface JournalEnd {
  readonly newest: JournalFile
  /** The file of the last line: an older one if a crash left the newest one without any. */
  readonly last: JournalFile
  /** Of the last line. */
  readonly hash: string
}

interface NewestFilesOptions {
  /** By path, where each file was read to: it is read from there, and this is updated. */
  readonly readTo?: Map<string, LineEnd>
  /** A server whose files are not read. */
  readonly except?: string
}

/** Reads the newest file of each server that has a line: its first line summarizes the older ones. */
export async function readNewestFiles(
  folder: string,
  onLine: (line: JournalLine) => void,
  { readTo = new Map(), except }: NewestFilesOptions = {},
): Promise<readonly JournalEnd[]> {
  const ends: JournalEnd[] = []
  for (const files of (await groupByServer(folder)).values()) {
    const newest = files.at(-1)
    if (newest === undefined || newest.server === except) continue
    let end: JournalEnd = { newest, last: newest, hash: noHash }
    for (const last of files.toReversed()) {
      if (end.hash !== noHash) break
      let lineEnd = readTo.get(last.path) ?? fileStart
      for await (const read of readFileLines(last, lineEnd)) {
        onLine(read.line)
        lineEnd = read.end
      }
      readTo.set(last.path, lineEnd)
      end = { newest, last, hash: lineEnd.hash }
    }
    ends.push(end)
  }
  return ends
}

/**
 * All records of all servers, those of one server in writing order. Throws an `OperatorError` for a damaged file, and
 * where a file is missing or was exchanged before another one of its server.
 */
export async function* readJournalRecords(folder: string): AsyncGenerator<JournalRecord> {
  for (const files of (await groupByServer(folder)).values()) {
    const chain = new FileChain()
    for (const file of files) {
      for await (const { line, end } of readFileLines(file)) {
        chain.add(line, end.hash, file.path)
        if (line.kind !== 'opening') yield line
      }
    }
  }
}

async function groupByServer(folder: string): Promise<ReadonlyMap<string, readonly JournalFile[]>> {
  return Map.groupBy(await listJournalFiles(folder), ({ server }) => server)
}
