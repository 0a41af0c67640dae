// A backup as a file: what a database held, as lines of JSON, compressed, with a checksum over all of it.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import { batchRows, type ArchivedTable, type Row } from './table.ts'
import type { Snapshot } from './snapshot.ts'
import type { SqlValue } from '../../engine/sql/dialect.ts'

/** What stands in the first line. */
export interface ArchiveHead {
  readonly dagsverk: 'backup'
  readonly format: typeof format
  /** Of the program that made it. */
  readonly version: string
  /** Microseconds since 1970. */
  readonly at: number
  /** The migrations that had been run, in their order. */
  readonly migrations: readonly string[]
  readonly tables: readonly ArchivedTable[]
}

/** Each table's rows stand behind its name; the last line counts all rows and vouches for every byte before it. */
interface TableLine {
  readonly table: string
}

interface EndLine {
  readonly rows: number
  readonly sha256: string
}

export const format = 1

/** The text of an archive in pieces, not yet compressed; `onRows` is told how many rows are written so far. */
export async function* archiveText(
  head: ArchiveHead,
  snapshot: Snapshot,
  onRows: (rows: number) => void,
): AsyncGenerator<string> {
  const hash = createHash('sha256')
  let rows = 0
  const told = (text: string): string => {
    hash.update(text)
    return text
  }
  yield told(line(head))
  for (const table of head.tables) {
    yield told(line({ table: table.name } satisfies TableLine))
    for await (const batch of snapshot.rows(table)) {
      yield told(batch.map(line).join(''))
      onRows((rows += batch.length))
    }
  }
  yield line({ rows, sha256: hash.digest('hex') } satisfies EndLine)
}

export interface ArchiveTaker {
  head?(head: ArchiveHead): Promise<void> | void
  rows?(table: ArchivedTable, rows: readonly Row[]): Promise<void> | void
}

/**
 * Reads an archive from its beginning to its end. Throws an `OperatorError` for what is no archive, is damaged,
 * or ends too early: what was taken until then is worth nothing.
 */
export async function readArchive(path: string, taker: ArchiveTaker = {}): Promise<ArchiveHead> {
  const file = createReadStream(path)
  const content = createGunzip()
  file.on('error', (error) => content.destroy(error)).pipe(content)
  try {
    return await new ArchiveReader(taker).read(content)
  } catch (error) {
    throw notRestorable(path, error)
  } finally {
    file.destroy()
  }
}

export function notRestorable(path: string, error: unknown): OperatorError {
  return error instanceof OperatorError
    ? error
    : new OperatorError(
        `${path} cannot be restored from: ${error instanceof Error ? error.message : String(error)}.`,
        exitCodes.storage,
        error,
      )
}

class ArchiveReader {
  readonly #taker: ArchiveTaker
  readonly #hash = createHash('sha256')
  #table: ArchivedTable | null = null
  #batch: Row[] = []
  #rows = 0

  constructor(taker: ArchiveTaker) {
    this.#taker = taker
  }

  async read(content: Readable): Promise<ArchiveHead> {
    let head: ArchiveHead | null = null
    let isWhole = false
    for await (const text of createInterface({ input: content, crlfDelay: Infinity })) {
      if (isWhole) throw new Error('something stands behind its end')
      const value: unknown = JSON.parse(text)
      if (head === null) {
        head = headOf(value)
        await this.#taker.head?.(head)
      } else if (Array.isArray(value)) await this.#takeRow(value)
      else if (isEnd(value)) isWhole = await this.#ends(value)
      else await this.#beginTable(head, value)
      this.#hash.update(`${text}\n`)
    }
    if (head === null || !isWhole) throw new Error('its end is missing')
    return head
  }

  async #takeRow(values: readonly unknown[]): Promise<void> {
    if (this.#table?.columns.length !== values.length) throw new Error('a row has other columns')
    this.#batch.push(values.map(valueOf))
    if (this.#batch.length >= batchRows) await this.#handOn()
  }

  async #beginTable({ tables }: ArchiveHead, value: unknown): Promise<void> {
    await this.#handOn()
    const name = isObject(value) ? value['table'] : undefined
    const table = tables.find((one) => one.name === name)
    if (table === undefined) throw new Error('a table stands in it that it does not announce')
    this.#table = table
  }

  async #ends({ rows, sha256 }: EndLine): Promise<true> {
    await this.#handOn()
    if (rows !== this.#rows) throw new Error(`it has ${this.#rows} rows and should have ${rows}`)
    if (sha256 !== this.#hash.copy().digest('hex')) throw new Error('its checksum is another')
    return true
  }

  async #handOn(): Promise<void> {
    const [table, rows] = [this.#table, this.#batch]
    this.#batch = []
    this.#rows += rows.length
    if (table !== null && rows.length > 0) await this.#taker.rows?.(table, rows)
  }
}

function line(value: object): string {
  return `${JSON.stringify(value, plain)}\n`
}

/** Bytes stand as an object, which no other value is. */
function plain(_name: string, value: unknown): unknown {
  return isObject(value) && value['type'] === 'Buffer' && Array.isArray(value['data'])
    ? { base64: Buffer.from(value['data']).toString('base64') }
    : value
}

function valueOf(value: unknown): SqlValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  if (isObject(value) && typeof value['base64'] === 'string')
    return Buffer.from(value['base64'], 'base64')
  throw new Error('a value is of no type that a database has')
}

function headOf(value: unknown): ArchiveHead {
  if (!isObject(value) || value['dagsverk'] !== 'backup') throw new Error('it is no backup')
  const { version, at, migrations, tables } = value
  if (value['format'] !== format)
    throw new Error(`it was made by ${String(version)}, in a format that this version cannot read`)
  if (typeof version !== 'string' || typeof at !== 'number' || !isTexts(migrations))
    throw new Error('its first line is damaged')
  if (!Array.isArray(tables) || !tables.every(isTable)) throw new Error('its first line is damaged')
  return { dagsverk: 'backup', format, version, at, migrations, tables }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function isTable(value: unknown): value is ArchivedTable {
  return (
    isObject(value) &&
    typeof value['name'] === 'string' &&
    isTexts(value['columns']) &&
    (value['sequence'] === null || typeof value['sequence'] === 'number')
  )
}

function isEnd(value: unknown): value is EndLine {
  return isObject(value) && typeof value['rows'] === 'number' && typeof value['sha256'] === 'string'
}
