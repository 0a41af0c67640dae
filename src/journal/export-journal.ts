// Export journal: exports recorded outside the database, so that a restored backup does not export twice.
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { Watermarks } from './watermarks.ts'
import { configurationError } from '../lib/operator-error.ts'
import { journalFile, type LineEnd } from './files.ts'
import {
  noHash,
  formatLine,
  type CompanyWatermark,
  type JournalLine,
  type JournalOpening,
  type JournalRecord,
} from './record.ts'
import { syncPath } from './durable-files.ts'
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'
import { readNewestFiles } from './read-journal.ts'

export interface JournalOptions {
  readonly folder: string
  /** The database whose exports these are. */
  readonly database: string
  /** The prefix of this server's files: lower-case letters, digits and hyphens. */
  readonly server: string
  /** A new file is started when the last one reaches this size. */
  readonly fileBytesMax?: number
}

/**
 * Opens the journal, and creates its folder if missing. Throws an `OperatorError` for a damaged file or the journal of
 * another database, and Node's error for an unusable folder.
 */
export async function openExportJournal(options: JournalOptions): Promise<ExportJournal> {
  await mkdir(options.folder, { recursive: true })
  const watermarks = new Watermarks()
  const readTo = new Map<string, LineEnd>()
  const onLine = (line: JournalLine) => {
    if (line.kind === 'opening' && line.database !== options.database)
      throw configurationError(
        `The export journal in ${options.folder} belongs to another database. Move it away, or configure another folder.`,
      )
    watermarks.add(line)
  }
  const ends = await readNewestFiles(options.folder, onLine, { readTo })
  const end = ends.find(({ newest }) => newest.server === options.server)
  // The next file refers to the last line, so a power failure must not remove it, nor what a crash left of a newer file.
  if (end !== undefined) for (const { path } of new Set([end.last, end.newest])) await syncPath(path)
  const tail = { number: end?.newest.number ?? 0, hash: end?.hash ?? noHash, readTo }
  return new ExportJournal({ fileBytesMax: 64 * 1024 * 1024, ...options }, watermarks, tail)
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

/** Appends to this server's files, and knows the watermarks of all files. */
export class ExportJournal {
  readonly #options: Required<JournalOptions>
  readonly #watermarks: Watermarks
  /** The number of the newest file, and the hash of its last known line. */
  #number: number
  #hash: string
  /** Of the files of all servers, by path. */
  readonly #readTo: Map<string, LineEnd>
  /** Null before the first record, and after a failure: a file with a failed write is not continued. */
  #file: OpenFile | null = null
  #isAfterFailure = false
  #waiting: Waiting[] = []
  #writing: Promise<void> | null = null

  constructor(
    options: Required<JournalOptions>,
    watermarks: Watermarks,
    { number, hash, readTo }: { number: number; hash: string; readTo: Map<string, LineEnd> },
  ) {
    this.#options = options
    this.#watermarks = watermarks
    this.#number = number
    this.#hash = hash
    this.#readTo = readTo
  }

  get folder(): string {
    return this.#options.folder
  }

  get watermarks(): readonly CompanyWatermark[] {
    return this.#watermarks.all
  }

  watermarkOf(companyId: number): CompanyWatermark {
    return this.#watermarks.get(companyId)
  }

  /** Reads into the watermarks what the other servers of the folder have appended since it was last read. */
  async readAppended(): Promise<void> {
    const { folder, server } = this.#options
    // Lines of this server's own files that are not in the watermarks are those of a failed write.
    await readNewestFiles(folder, (line) => this.#watermarks.add(line), { readTo: this.#readTo, except: server })
  }

  /**
   * Appends records durably: resolves once they would survive a power loss. Concurrent calls share one write. Rejects
   * with the error of the disk; the records may be written nevertheless, and appending them again is harmless.
   */
  append(records: readonly JournalRecord[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ records, resolve, reject })
    this.#writing ??= this.#writeWaiting()
    return promise
  }

  /** Resolves when all pending records are written. */
  async close(): Promise<void> {
    await this.#writing
    await this.#closeFile()
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const waiting = this.#waiting
      this.#waiting = []
      try {
        await this.#write(waiting.flatMap(({ records }) => records))
        for (const { resolve } of waiting) resolve()
      } catch (error) {
        await this.#closeFile()
        this.#isAfterFailure = true
        for (const { reject } of waiting) reject(error)
      }
    }
    this.#writing = null
  }

  async #write(records: readonly JournalRecord[]): Promise<void> {
    if (this.#file !== null && this.#file.bytes >= this.#options.fileBytesMax) await this.#closeFile()
    this.#file ??= await this.#startFile()
    this.#file = await this.#appendLines(this.#file, records)
  }

  async #startFile(): Promise<OpenFile> {
    const { folder, server } = this.#options
    const handle = await open(journalFile(folder, server, ++this.#number).path, 'ax')
    const opening: JournalOpening = {
      kind: 'opening',
      database: this.#options.database,
      previousHash: this.#hash,
      ...(this.#isAfterFailure ? { isAfterFailure: true } : {}),
      companies: this.#watermarks.all,
    }
    try {
      const file = await this.#appendLines({ handle, bytes: 0, hash: noHash }, [opening])
      await syncPath(folder)
      this.#isAfterFailure = false
      return file
    } catch (error) {
      await closeQuietly(handle)
      throw error
    }
  }

  async #appendLines(file: OpenFile, lines: readonly JournalLine[]): Promise<OpenFile> {
    let { hash } = file
    let text = ''
    let sliceEnd = sliceLength
    for (const line of lines) {
      const written = formatLine(line, hash)
      hash = written.hash
      text += written.text
      if (text.length < sliceEnd) continue
      sliceEnd = text.length + sliceLength
      await yieldToEventLoop()
    }
    const content = Buffer.from(text)
    await file.handle.appendFile(content)
    await file.handle.datasync()
    for (const line of lines) this.#watermarks.add(line)
    this.#hash = hash
    return { handle: file.handle, bytes: file.bytes + content.length, hash }
  }

  async #closeFile(): Promise<void> {
    const file = this.#file
    this.#file = null
    if (file !== null) await closeQuietly(file.handle)
  }
}

/** Characters: others wait a millisecond while so many are written and hashed. */
const sliceLength = 64 * 1024

/** Ignores errors of closing: the relevant error is reported already. */
function closeQuietly(handle: FileHandle): Promise<void> {
  return handle.close().catch(() => {})
}
