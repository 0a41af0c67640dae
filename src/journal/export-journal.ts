// What was exported, written down outside the database: a restored backup does not know it, and must not export twice.
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { Extents } from './watermarks.ts'
import { exitCodes, OperatorError } from '../lib/operator-error.ts'
import { fileOf, filesIn, readFileLines } from './files.ts'
import {
  noHash,
  writeLine,
  type CompanyExtent,
  type JournalLine,
  type JournalRecord,
} from './record.ts'
import { syncFolder } from './sync-folder.ts'

export interface JournalOptions {
  readonly folder: string
  /** The database whose exports these are. */
  readonly database: string
  /** Names this server's own files: small letters, digits and hyphens. */
  readonly server: string
  /** A new file is begun once the last one is as long as this. */
  readonly fileBytesMax?: number
}

/**
 * Opens the journal, making the folder where there is none. Throws an `OperatorError` for a damaged file and for the
 * journal of another database, and what Node throws for a folder that cannot be used.
 */
export async function openExportJournal(options: JournalOptions): Promise<ExportJournal> {
  await mkdir(options.folder, { recursive: true })
  const files = await filesIn(options.folder)
  const extents = new Extents()
  const ended = { number: 0, hash: noHash }
  for (const [server, ofServer] of Map.groupBy(files, (file) => file.server)) {
    const newest = ofServer.at(-1)
    if (newest === undefined) continue
    // Its first line tells what the older ones hold.
    const hash = await readFileLines(newest, (line) => {
      if (line.kind === 'opening' && line.database !== options.database)
        throw foreign(options.folder)
      extents.add(line)
    })
    if (server === options.server) Object.assign(ended, { number: newest.number, hash })
  }
  return new ExportJournal({ fileBytesMax: 64 * 1024 * 1024, ...options }, extents, ended)
}

function foreign(folder: string): OperatorError {
  return new OperatorError(
    `The export journal in ${folder} is that of another database. Move it away, or name another folder.`,
    exitCodes.configuration,
  )
}

/** Every record of every server's files, those of one server in the order in which they were written. */
export async function* recordsIn(folder: string): AsyncGenerator<JournalRecord> {
  for (const file of await filesIn(folder)) {
    const records: JournalRecord[] = []
    await readFileLines(file, (line) => {
      if (line.kind !== 'opening') records.push(line)
    })
    yield* records
  }
}

interface Waiting {
  readonly records: readonly JournalRecord[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

interface OpenFile {
  readonly handle: FileHandle
  readonly bytes: number
  /** Of its last line. */
  readonly hash: string
}

/** The end of one server's own files, and what the files of all hold. */
export class ExportJournal {
  readonly #options: Required<JournalOptions>
  readonly #extents: Extents
  /** The newest file by its number, and the hash of the last line that is known to stand there. */
  #number: number
  #hash: string
  /** Null before the first record, and after a failure: what a failed write left behind is not written on. */
  #file: OpenFile | null = null
  #waiting: Waiting[] = []
  #writing: Promise<void> | null = null

  constructor(
    options: Required<JournalOptions>,
    extents: Extents,
    ended: { readonly number: number; readonly hash: string },
  ) {
    this.#options = options
    this.#extents = extents
    this.#number = ended.number
    this.#hash = ended.hash
  }

  get folder(): string {
    return this.#options.folder
  }

  /** By company: what the journal holds. */
  get extents(): readonly CompanyExtent[] {
    return this.#extents.all
  }

  extentOf(companyId: number): CompanyExtent {
    return this.#extents.of(companyId)
  }

  /**
   * Writes records down for good: resolves once they would survive a loss of power. Records that wait at the
   * same time share one write. Rejects with the error of the disk; the records may be written nevertheless,
   * and to append them again does no harm.
   */
  append(records: readonly JournalRecord[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ records, resolve, reject })
    this.#writing ??= this.#writeWaiting()
    return promise
  }

  /** Once what waits is written. */
  async close(): Promise<void> {
    await this.#writing
    await this.#leaveFile()
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const waiting = this.#waiting
      this.#waiting = []
      try {
        await this.#write(waiting.flatMap(({ records }) => records))
        for (const { resolve } of waiting) resolve()
      } catch (error) {
        await this.#leaveFile()
        for (const { reject } of waiting) reject(error)
      }
    }
    this.#writing = null
  }

  async #write(records: readonly JournalRecord[]): Promise<void> {
    if (this.#file !== null && this.#file.bytes >= this.#options.fileBytesMax)
      await this.#leaveFile()
    this.#file ??= await this.#begin()
    this.#file = await this.#put(this.#file, records)
  }

  async #begin(): Promise<OpenFile> {
    const { folder, server } = this.#options
    const handle = await open(fileOf(folder, server, ++this.#number).path, 'ax')
    const opening = {
      kind: 'opening',
      database: this.#options.database,
      previousHash: this.#hash,
      companies: this.#extents.all,
    } as const
    try {
      const file = await this.#put({ handle, bytes: 0, hash: noHash }, [opening])
      await syncFolder(folder)
      return file
    } catch (error) {
      await closed(handle)
      throw error
    }
  }

  async #put(file: OpenFile, lines: readonly JournalLine[]): Promise<OpenFile> {
    let { hash } = file
    const texts = lines.map((line) => {
      const written = writeLine(line, hash)
      hash = written.hash
      return written.text
    })
    const content = Buffer.from(texts.join(''))
    await file.handle.appendFile(content)
    await file.handle.datasync()
    for (const line of lines) this.#extents.add(line)
    this.#hash = hash
    return { handle: file.handle, bytes: file.bytes + content.length, hash }
  }

  async #leaveFile(): Promise<void> {
    const file = this.#file
    this.#file = null
    if (file !== null) await closed(file.handle)
  }
}

/** Where closing fails too, the error that matters has been told already. */
function closed(handle: FileHandle): Promise<void> {
  return handle.close().catch(() => {})
}
