// Reads the export journal of all servers.
import { Watermarks } from './watermarks.ts'
import { listJournalFiles, readFileLines, type JournalFile } from './files.ts'
import type { JournalRecord } from './record.ts'

/** The watermarks of all servers, without opening the journal for writing. Throws an `OperatorError` for a damaged file. */
export async function readWatermarks(folder: string): Promise<Watermarks> {
  const watermarks = new Watermarks()
  for (const file of await listNewestFiles(folder)) await readFileLines(file, (line) => watermarks.add(line))
  return watermarks
}

/** The newest file of each server: its first line summarizes the older ones. */
export async function listNewestFiles(folder: string): Promise<readonly JournalFile[]> {
  const byServer = Map.groupBy(await listJournalFiles(folder), ({ server }) => server)
  return [...byServer.values()].flatMap((files) => files.at(-1) ?? [])
}

/** All records of all servers, those of one server in writing order. */
export async function* readJournalRecords(folder: string): AsyncGenerator<JournalRecord> {
  for (const file of await listJournalFiles(folder)) {
    const records: JournalRecord[] = []
    await readFileLines(file, (line) => {
      if (line.kind !== 'opening') records.push(line)
    })
    yield* records
  }
}
