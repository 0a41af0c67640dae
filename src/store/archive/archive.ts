// Backup archive: lines of JSON with all rows of a database, compressed, with a checksum.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { exitCodes, messageOf, OperatorError } from '../../lib/operator-error.ts'
import { archiveChunkRows, type ArchivedTable, type ArchivedRow, type Snapshot } from './table.ts'
import type { SqlValue } from '../../engine/sql/dialect.ts'

/** The first line. */
export interface ArchiveHead {
  readonly dagsverk: 'backup'
  readonly format: typeof archiveFormat
  /** The version of the program that created the archive. */
  readonly version: string
  /** Microseconds since 1970. */
  readonly at: number
  /** The migrations that had run, in their order. */
  readonly migrations: readonly string[]
  /** The name of the database; null before it got one. */
  readonly database: string | null
  readonly tables: readonly ArchivedTable[]
}

/** The last line; a line with the name of a table comes before its rows. */
interface EndLine {
  readonly rows: number
  readonly sha256: string
}

export const archiveFormat = 1

/** The text of an archive in chunks, not yet compressed; `onRows` is called with the number of rows so far. */
export async function* serializeArchive(
  head: ArchiveHead,
  snapshot: Snapshot,
  onRows: (rows: number) => void,
): AsyncGenerator<string> {
  const hash = createHash('sha256')
  let rows = 0
  const hashed = (text: string): string => {
    hash.update(text)
    return text
  }
  yield hashed(line(head))
  for (const table of head.tables) {
    yield hashed(line({ table: table.name }))
    for await (const chunk of snapshot.rows(table)) {
      yield hashed(chunk.map(line).join(''))
      onRows((rows += chunk.length))
    }
  }
  yield line({ rows, sha256: hash.digest('hex') } satisfies EndLine)
}

type TakeRows = (table: ArchivedTable, rows: readonly ArchivedRow[]) => Promise<void> | void

/**
 * Reads a whole archive. Throws an `OperatorError` where the file is not an archive, is damaged or truncated; the caller
 * must then discard the rows that it has received.
 */
export async function readArchive(path: string, takeRows: TakeRows = () => {}): Promise<ArchiveHead> {
  const file = createReadStream(path)
  const content = createGunzip()
  file.on('error', (error) => content.destroy(error)).pipe(content)
  try {
    return await new ArchiveReader(takeRows).read(content)
  } catch (error) {
    throw toRestoreError(path, error)
  } finally {
    file.destroy()
  }
}

/** Reads the first line only; null where there is none of an archive. */
export async function readArchiveHead(path: string): Promise<ArchiveHead | null> {
  const file = createReadStream(path)
  const content = createGunzip()
  file.on('error', (error) => content.destroy(error)).pipe(content)
  try {
    for await (const text of createInterface({ input: content })) return parseHead(JSON.parse(text))
  } catch {
    // It is damaged, or no archive.
  } finally {
    file.destroy()
    content.destroy()
  }
  return null
}

export function toRestoreError(path: string, error: unknown): OperatorError {
  return error instanceof OperatorError
    ? error
    : new OperatorError(`${path} cannot be restored from: ${messageOf(error)}.`, exitCodes.storage, error)
}

class ArchiveReader {
  readonly #takeRows: TakeRows
  readonly #hash = createHash('sha256')
  #table: ArchivedTable | null = null
  #chunk: ArchivedRow[] = []
  #rows = 0

  constructor(takeRows: TakeRows) {
    this.#takeRows = takeRows
  }

  async read(content: Readable): Promise<ArchiveHead> {
    let head: ArchiveHead | null = null
    let isWhole = false
    for await (const text of createInterface({ input: content, crlfDelay: Infinity })) {
      if (isWhole) throw new Error('there is data after its end')
      const value: unknown = JSON.parse(text)
      if (head === null) head = parseHead(value)
      else if (Array.isArray(value)) await this.#addRow(value)
      else if (isEnd(value)) isWhole = await this.#checkEnd(value)
      else await this.#beginTable(head, value)
      this.#hash.update(`${text}\n`)
    }
    if (head === null || !isWhole) throw new Error('its end is missing')
    return head
  }

  async #addRow(values: readonly unknown[]): Promise<void> {
    if (this.#table?.columns.length !== values.length) throw new Error('a row has a wrong number of columns')
    this.#chunk.push(values.map(parseValue))
    if (this.#chunk.length >= archiveChunkRows) await this.#flush()
  }

  async #beginTable({ tables }: ArchiveHead, value: unknown): Promise<void> {
    await this.#flush()
    const name = isObject(value) ? value['table'] : undefined
    const table = tables.find((one) => one.name === name)
    if (table === undefined) throw new Error('it has a table that its first line does not list')
    this.#table = table
  }

  async #checkEnd({ rows, sha256 }: EndLine): Promise<true> {
    await this.#flush()
    if (rows !== this.#rows) throw new Error(`it has ${this.#rows} rows and should have ${rows}`)
    if (sha256 !== this.#hash.copy().digest('hex')) throw new Error('its checksum is wrong')
    return true
  }

  async #flush(): Promise<void> {
    const [table, rows] = [this.#table, this.#chunk]
    this.#chunk = []
    this.#rows += rows.length
    if (table !== null && rows.length > 0) await this.#takeRows(table, rows)
  }
}

function line(value: object): string {
  return `${JSON.stringify(value, replaceBuffer)}\n`
}

/** Bytes become an object; no other value is one. */
function replaceBuffer(_name: string, value: unknown): unknown {
  return isObject(value) && value['type'] === 'Buffer' && Array.isArray(value['data'])
    ? { base64: Buffer.from(value['data']).toString('base64') }
    : value
}

function parseValue(value: unknown): SqlValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  if (isObject(value) && typeof value['base64'] === 'string') return Buffer.from(value['base64'], 'base64')
  throw new Error('a value has an unknown type')
}

function parseHead(value: unknown): ArchiveHead {
  if (!isObject(value) || value['dagsverk'] !== 'backup') throw new Error('it is not a backup')
  const { version, at, migrations, database = null, tables } = value
  if (value['format'] !== archiveFormat)
    throw new Error(`version ${String(version)} created it, in a format that this version cannot read`)
  const isIntact =
    typeof version === 'string' &&
    typeof at === 'number' &&
    isStringArray(migrations) &&
    (database === null || typeof database === 'string') &&
    Array.isArray(tables) &&
    tables.every(isTable)
  if (!isIntact) throw new Error('its first line is damaged')
  return { dagsverk: 'backup', format: archiveFormat, version, at, migrations, database, tables }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function isTable(value: unknown): value is ArchivedTable {
  return (
    isObject(value) &&
    typeof value['name'] === 'string' &&
    isStringArray(value['columns']) &&
    (value['sequence'] === null || typeof value['sequence'] === 'number')
  )
}

function isEnd(value: unknown): value is EndLine {
  return isObject(value) && typeof value['rows'] === 'number' && typeof value['sha256'] === 'string'
}
